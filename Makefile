PY ?= python3
V  := .venv

run: $(V)/ok
	@$(V)/bin/fernpartie init
	@export FERNPARTIE_PORT=$${PORT:-$${FERNPARTIE_PORT:-8000}}; exec $(V)/bin/fernpartie serve

test: $(V)/ok
	@sh tests/system.sh
	$(V)/bin/ruff format --check .
	$(V)/bin/ruff check .
	$(V)/bin/mypy
	$(V)/bin/pytest -n 2 --dist loadgroup

bench: $(V)/ok
	@$(V)/bin/python -m tests.bench $(BENCH)

screenshots: $(V)/ok
	@$(V)/bin/python -m tests.web.screenshots

format: $(V)/ok
	$(V)/bin/ruff format .
	$(V)/bin/ruff check --fix .

setup: $(V)/ok

$(V)/ok: requirements.lock pyproject.toml
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Fernpartie needs Python 3.11 or newer; $(PY) is `$(PY) --version 2>&1`." \
	       "Name another one with: make PY=/path/to/python3" >&2; exit 1; }
	@$(PY) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Fernpartie needs Python's venv; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@echo "Setting up Python packages in $(V) (once, about a minute)"
	@$(PY) -m venv $(V)
	@$(V)/bin/pip install -qq --disable-pip-version-check --require-hashes --only-binary=:all: -r requirements.lock
	@$(V)/bin/pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .
	@touch $@

# Only whoever changes the dependencies needs uv.
lock:
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header \
	  --extra postgres --extra dev -o requirements.lock pyproject.toml
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  --extra postgres -c requirements.lock -o deploy/requirements.lock pyproject.toml

.PHONY: run test bench screenshots format setup lock
