# make demo | make test set everything up by themselves; they need Python >= 3.11 and Rust.
PYTHON ?= python3
VENV := $(CURDIR)/.venv
BIN := $(VENV)/bin
RUST := Cargo.toml Cargo.lock $(shell find rust -path '*/target' -prune -o -name '*.rs' -print -o -name 'Cargo.toml' -print)

.PHONY: dev fmt lint test bench bench-shield bench-smoke figures demo wheel clean

dev: $(VENV)/.built

$(VENV)/.tools: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Ostiary needs Python 3.11 or later" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group dev
	touch $@

# A release build: everything here is measured and tested as users get it.
$(VENV)/.built: $(VENV)/.tools $(RUST)
	VIRTUAL_ENV=$(VENV) $(BIN)/maturin develop --release --extras cli
	touch $@

fmt: dev
	cargo fmt
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

lint: dev
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest ostiary._core
	$(BIN)/lint-imports

test: dev
	cargo test --locked --quiet
	cargo test --locked --quiet --manifest-path rust/oracle/Cargo.toml
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage report

bench: dev
	$(BIN)/pytest benches --benchmark-only --benchmark-group-by=group,param:size \
		--benchmark-columns=min,median,ops --benchmark-sort=name

bench-smoke: dev
	$(BIN)/pytest benches --benchmark-disable -q
	$(BIN)/python benches/figures.py --rounds 1
	$(BIN)/python benches/call_figures.py --calls 1000 --rounds 1
	$(BIN)/python benches/shield_figures.py --most 20

figures: dev
	$(BIN)/python benches/figures.py
	$(BIN)/python benches/call_figures.py

# Other guards beside ours; one that cannot be installed is left out. OSTIARY_COMMANDS names the corpora.
bench-shield: dev
	-$(BIN)/python -m pip install --quiet --target target/peers agentbelay==0.1.0
	-npm install --silent --prefix target/peers cc-safety-net@2.4.5
	$(BIN)/python benches/shield_figures.py --peers target/peers

demo: dev
	$(BIN)/python examples/demo.py
	$(BIN)/ostiary admit --downsample demo-out/* || true

# An abi3 wheel for any glibc since 2.17, and the sdist.
wheel: dev
	$(BIN)/python -m pip install --quiet ziglang
	VIRTUAL_ENV=$(VENV) PATH=$(BIN):$$PATH maturin build --release --zig --compatibility manylinux2014 --out dist
	VIRTUAL_ENV=$(VENV) $(BIN)/maturin sdist --out dist

clean:
	rm -rf $(VENV) target dist demo-out .coverage .hypothesis .benchmarks .*_cache
