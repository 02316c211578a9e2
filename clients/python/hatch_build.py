"""Generates the package `traceflow_client` from the OpenAPI document when a wheel is built."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GenerateClient(BuildHookInterface):
    def initialize(self, version, build_data):
        root = Path(self.root)
        # A source distribution holds the document, a checkout has it beside this folder.
        places = (root / "openapi.json", root.parent / "openapi.json")
        document = next((path for path in places if path.exists()), None)
        if document is None:
            sys.exit("clients/openapi.json is missing: run `npm run clients` in the checkout of traceflow first")
        self.folder = tempfile.TemporaryDirectory()
        package = Path(self.folder.name) / "traceflow_client"
        generate = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning"]
        paths = ["--path", document, "--config", root / "generator.yaml", "--output-path", package]
        subprocess.run([*generate, *paths], check=True)
        for path in (package / "models").glob("*.py"):
            accept_new_names(path)
        shutil.copy(root / "calls.py", package / "calls.py")
        (package / "py.typed").touch()
        build_data["force_include"][str(package)] = "traceflow_client"
        build_data["pure_python"] = True

    def finalize(self, version, build_data, artifact_path):
        self.folder.cleanup()


def accept_new_names(path):
    """Lets a name that a later version of the service adds pass as it is, where the generator raises a TypeError."""
    text = path.read_text()
    checked = re.compile(r"raise TypeError\(f\"Unexpected value \{value!r\}.*?\)\n")
    found = re.search(r"-> (\w+)( \| None)?:\n", text)
    if found and checked.search(text):
        text = checked.sub(f"return cast({found[1]}, value)\n", text)
        path.write_text(text.replace("from typing import Literal", "from typing import Literal, cast", 1))
