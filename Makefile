PY ?= python3
V  := .venv

setup: $(V)/ok

$(V)/ok: requirements.lock pyproject.toml
	$(PY) -m venv $(V)
	$(V)/bin/pip install -q --require-hashes --only-binary=:all: -r requirements.lock
	$(V)/bin/pip install -q --no-deps --no-build-isolation --no-index -e .
	touch $@

lock:
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header \
	  --extra postgres --extra dev -o requirements.lock pyproject.toml

.PHONY: setup lock
