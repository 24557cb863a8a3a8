"""What makes a lesson work: exercises and their judging, claims, questions, demonstrations.

Nothing in here knows a lesson; a lesson binds these to its own declarations (`course.lesson`).
"""
