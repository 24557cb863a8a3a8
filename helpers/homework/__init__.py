"""Homework: from a folder of notebooks to marks, feedback and what to teach next.

What the learners wrote runs in another process (``worker``), from a copy of the course without
exercises (``course_copy``); what comes back are plain values (``wire``), judged here (``grading``).
"""
