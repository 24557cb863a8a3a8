"""The guide for teachers: weeks, a server for a class, a slow network, and the limits."""

import html

from helpers.language import say
from helpers.teaching.pages import heading, page, paragraph

WEEKS = {
    3: ("01 + 02, 03 + 04", "05 + 06, 08 (07 at home)", "09, 10"),
    6: ("01 + 02", "03 + 04", "05 + 06", "07 + 08", "09", "10"),
    10: ("01", "02", "03", "04", "05", "06", "07", "08", "09", "10"),
}
HUB = """\
c = get_config()
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.JupyterHub.authenticator_class = "dummy"   # for a trial on your own machine only
c.Authenticator.allow_all = True
c.Spawner.default_url = "/lab"
c.Spawner.http_timeout = 120                 # with 30 a server of three came too late
"""
PULL = (
    "https://HUB/hub/user-redirect/git-pull?repo=REPOSITORY&branch=main"
    "&urlpath=lab%2Ftree%2FFOLDER%2Fnotebooks%2F01_who_is_he.ipynb"
)
OFFLINE = """\
python3 -m pip download -r requirements.txt -d wheels
"""
INSTALL = """\
export PIP_NO_INDEX=1 PIP_FIND_LINKS="$PWD/wheels"
python3 -m helpers
"""


def guide_page() -> str:
    """Write the guide."""
    return page(
        say("Giving the course to a class"), "".join([_plans(), _server(), _slow(), _limits()])
    )


def _plans() -> str:
    """Plans for 3, 6 and 10 weeks."""
    parts = [heading(say("Three, six or ten weeks"))]
    parts.append(
        paragraph(
            say(
                "A meeting is 90 minutes. Two lessons in one meeting follow the two plans of 45 "
                "minutes; the parts called Transfer and Homework are then done at home. Three "
                "weeks have two meetings a week, with a comma between them; six weeks have one. "
                "In ten weeks one lesson is done a week, in 45 or 90 minutes."
            )
        )
    )
    for count, weeks in WEEKS.items():
        title = html.escape(say("{count} weeks", count=count))
        cells = "".join(f"<li>{html.escape(say(week))}</li>" for week in weeks)
        parts.append(f"<h3>{title}</h3><ol>{cells}</ol>\n")
    parts.append(
        paragraph(
            say(
                "Lessons 03 and 04 carry the others: do not leave them out. A class without "
                "calculus leaves out the backward parts of lesson 10. Prediction sheets are "
                "handed out before the notebook is opened, and collected before the answers."
            )
        )
    )
    return "".join(parts)


def _server() -> str:
    """A JupyterHub for the class."""
    return "".join(
        [
            heading(say("On a server of your own: JupyterHub")),
            paragraph(
                say(
                    "This was tried with JupyterHub 6.1.1 from pip, configurable-http-proxy from "
                    "npm and three users on one machine. Install JupyterHub, nbgitpuller and "
                    "jupyterhub-idle-culler beside requirements.txt, into one environment that "
                    "all users share. The file jupyterhub_config.py was:"
                )
            ),
            _code(HUB),
            paragraph(
                say(
                    "The dummy sign-in lets everybody in. For a class take your university's "
                    "sign-in and HTTPS in its place; neither was tried here. Let the culler end "
                    "idle kernels after 30 minutes."
                )
            ),
            paragraph(
                say(
                    "Memory for 30 learners at once: about 9 GB for lesson 04, 16 to 22 GB for "
                    "lesson 06, 17 GB for lesson 10. It is computed from one server (130 MB) and "
                    "one kernel (165, 489 and 515 MB; at its peak 686 MB in lesson 06), measured "
                    "on the first edition. Take 24 GB, and 8 cores or more: the processor is what "
                    "a class waits for when all train together."
                )
            ),
            paragraph(
                say(
                    "A link of nbgitpuller copies the course into each learner's folder. Put in "
                    "your hub, the repository's address (with : and / written as %3A and %2F) "
                    "and its folder:"
                )
            ),
            _code(PULL),
            paragraph(
                say(
                    "When you change a notebook later, the link brings the change. A learner's "
                    "edits stay. Where both changed the same cell, the learner's version stays."
                )
            ),
        ]
    )


def _slow() -> str:
    """What to do where Binder and GitHub are slow or cannot be reached."""
    return "".join(
        [
            heading(say("Where Binder and GitHub are slow")),
            paragraph(
                say(
                    "Put a copy of the repository on a server that is near, your university's "
                    "Git server for example, or hand out a zip. For the packages set "
                    "PIP_INDEX_URL to the mirror that your university names; "
                    "python3 -m helpers then asks that mirror alone."
                )
            ),
            paragraph(
                say(
                    "Without any network: on one machine with a network, the same system and the "
                    "same Python as the learners', fill a folder with the packages, in the "
                    "folder of the course."
                )
            ),
            _code(OFFLINE),
            paragraph(
                say("Copy the whole folder on a stick. On each learner's machine (Linux, macOS):")
            ),
            _code(INSTALL),
            paragraph(
                say(
                    "On Windows set the same two variables with set, then start the same command. "
                    "The folder is about 1 GB, and about 3 GB on Linux unless PyTorch's build "
                    "for the processor is taken, see the README. The lessons themselves "
                    "fetch nothing."
                )
            ),
        ]
    )


def _limits() -> str:
    """What the course does not do for a teacher."""
    texts = (
        say(
            "The solutions are public. A right answer does not prove that a learner wrote it. Ask "
            "one question in person, or look at the predictions."
        ),
        say(
            "Grading runs learners' code in a process of its own with limits. That is no sandbox "
            "for hostile code: grade --in takes a container for that."
        ),
        say(
            "The question bank is a plain file. Whoever has the course can read the answers. Use "
            "it for practice, not for an exam."
        ),
        say(
            "The GIFT and QTI files were read back by programs of the course. They were not "
            "imported into a running Moodle or Canvas; try one lesson first."
        ),
        say(
            "The server was tried with three users, not with thirty. The figures for thirty are "
            "computed. Start all servers ten minutes before the first meeting."
        ),
        say("Minutes are computed, not measured with a class."),
    )
    items = "".join(f"<li>{html.escape(text)}</li>" for text in texts)
    return f"{heading(say('The limits'))}<ul>{items}</ul>\n"


def _code(text: str) -> str:
    return f"<pre>{html.escape(text, quote=False)}</pre>\n"
