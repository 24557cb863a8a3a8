"""A Jupyter server over one folder, as a learner starts it, with settings and trust of its own."""

import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from helpers.launcher.environment import LAB_SETTINGS

PATIENCE = 300  # seconds, of a server on a busy machine


class Server:
    """JupyterLab, or Notebook 7, on this machine's own address, until ``close``.

    Args:
        folder: what it serves.
        home: where it keeps settings and which notebooks it trusts; a new one trusts nothing.
        application: "jupyterlab" or "notebook".
    """

    def __init__(self, folder: Path, home: Path, application: str = "jupyterlab"):
        (home / "config" / "labconfig").mkdir(parents=True, exist_ok=True)
        news = home / "config" / "labconfig" / "page_config.json"
        news.write_text(LAB_SETTINGS, encoding="utf-8")
        self.folder, self.application, self.token = folder, application, secrets.token_hex(16)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"http://127.0.0.1:{free.getsockname()[1]}"
        options = {
            "ServerApp.ip": "127.0.0.1",
            "ServerApp.port": self.address.rpartition(":")[2],
            "ServerApp.port_retries": "0",
            "ServerApp.root_dir": str(folder),
            "ServerApp.open_browser": "False",
            "ServerApp.allow_root": "True",  # a container's only user
            "IdentityProvider.token": self.token,
        }
        if application == "jupyterlab":
            options["LabApp.expose_app_in_browser"] = "True"
        else:
            options["JupyterNotebookApp.expose_app_in_browser"] = "True"
        own = {
            f"JUPYTER_{kind}_DIR": str(home / kind.lower())
            for kind in ("CONFIG", "DATA", "RUNTIME")
        }
        own |= {
            f"JUPYTERLAB_{kind}_DIR": str(home / kind.lower())
            for kind in ("SETTINGS", "WORKSPACES")
        }
        self._log = (home / "server.log").open("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            [sys.executable, "-m", application, *(f"--{k}={v}" for k, v in options.items())],
            cwd=folder,
            env={**os.environ, **own},
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        self._wait()

    def _wait(self):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.address}/api?token={self.token}", timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        self.close()
        self._log.seek(0)
        raise RuntimeError(f"{self.application} does not start:\n{self._log.read()}")

    def page_of(self, notebook: str) -> str:
        """The address under which a notebook of the folder is shown, beside no other one."""
        lab = f"lab/workspaces/{secrets.token_hex(4)}/tree"
        way = lab if self.application == "jupyterlab" else "notebooks"
        return f"{self.address}/{way}/{notebook}?token={self.token}"

    def close(self) -> None:
        """End the server and its kernels."""
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
