"""The course in a real browser: JupyterLab and Notebook 7 in Chromium, driven by Playwright."""
