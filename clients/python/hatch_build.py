"""Generates the package `traceflow_client` from the OpenAPI document when a wheel is built."""

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
        (package / "py.typed").touch()
        build_data["force_include"][str(package)] = "traceflow_client"
        build_data["pure_python"] = True

    def finalize(self, version, build_data, artifact_path):
        self.folder.cleanup()
