#!/bin/sh
# Check style, types and layers of Python and TypeScript. Changes nothing.
set -eu
cd "$(dirname "$0")/.."
echo "== ruff, mypy, import-linter"
.venv/bin/ruff check --no-cache .
.venv/bin/ruff format --check .
.venv/bin/mypy
.venv/bin/lint-imports --no-cache
echo "== words and spelling"
.venv/bin/python scripts/check_words.py
git ls-files -z '*.py' '*.md' '*.sh' '*.toml' '*.cpp' '*.hpp' '*.ts' '*.tsx' '*.css' | xargs -0 .venv/bin/codespell
echo "== names of test files"
# pytest imports two test files of the same name as one module, and fails to run either.
twice=$(find tests -name 'test_*.py' | sed 's|.*/||' | sort | uniq -d)
[ -z "$twice" ] || { echo "two test files are named $twice; rename one of them" >&2; exit 1; }
echo "== tsc, biome, import order of the pages"
.venv/bin/python scripts/web_types.py --check
(cd web && npm run check --silent)
