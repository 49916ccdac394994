# Everything here needs Go (the version of go.mod), make, bash and git, and nothing else.
# The modules are those of go.work; tools/ is a module of its own that no other one sees.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

FUZZTIME ?= 60s
BENCH    ?= .

# The package patterns of every module of go.work, so that one `go` command covers them all.
PATTERNS = $$(go list -m -f '{{.Dir}}/...')
TOOLS    = GOWORK=off go -C tools
# The race detector needs a C compiler; `go env` says whether there is one.
RACE     = $$(test "$$(go env CGO_ENABLED)" = 1 && echo -race || echo "no C compiler: tests run without -race" >&2)

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: test
test: ## all tests of all modules; a test that needs more than Go says so and is skipped
	go test $(PATTERNS)

.PHONY: check
check: fmt tidy vet lint generated race ## the gate: all below must pass before a change goes in

.PHONY: fmt
fmt: ## every file is as gofmt writes it
	@echo "== fmt"
	@out=$$(git ls-files -co --exclude-standard -- '*.go' | xargs -r ls -d 2>/dev/null | xargs -r gofmt -d 2>&1 || true); \
	test -z "$$out" || { echo "$$out"; echo 'not formatted: run `gofmt -w .`'; exit 1; }

.PHONY: tidy
tidy: ## go.mod and go.sum of every module hold what is needed and no more
	@echo "== tidy"
	@go list -m -f '{{.Dir}}' | while IFS= read -r dir; do go -C "$$dir" mod tidy -diff || { echo "not tidy: run \`go mod tidy\` in $$dir"; exit 1; }; done
	@$(TOOLS) mod tidy -diff || { echo 'not tidy: run `GOWORK=off go mod tidy` in tools'; exit 1; }

.PHONY: vet
vet: ## everything compiles, examples too, and go vet finds nothing
	@echo "== vet"
	@go build $(PATTERNS)
	@go vet $(PATTERNS)
	@$(TOOLS) vet ./...

.PHONY: lint
lint: ## staticcheck, at the version of tools/go.mod, finds nothing
	@echo "== lint"
	@staticcheck=$$($(TOOLS) tool -n staticcheck); "$$staticcheck" $(PATTERNS); cd tools; GOWORK=off "$$staticcheck" ./...

.PHONY: generate
generate: ## rewrite every generated and golden file
	@go generate $(PATTERNS)
	@WF_UPDATE=1 go test -short -count=1 $(PATTERNS)

# The whole work tree as one git tree, files that are not committed yet included; the index is left alone.
TREE = $$(index=$$(mktemp -u); export GIT_INDEX_FILE="$$index"; git add -A >/dev/null 2>&1; git write-tree; rm -f "$$index")

.PHONY: generated
generated: ## `make generate` changes nothing
	@echo "== generated"
	@before=$(TREE); $(MAKE) --no-print-directory generate >/dev/null || { echo '`make generate` failed:'; $(MAKE) --no-print-directory generate; exit 1; }; \
	git diff --exit-code --stat -p "$$before" $(TREE) || { echo 'generated files were not up to date: they are now, commit them'; exit 1; }

.PHONY: race
race: ## all tests in random order under the race detector, with a count at the end
	@echo "== test"
	@$(TOOLS) test ./...
	@go test -json -shuffle=on $(RACE) $(PATTERNS) | $(TOOLS) run ./tally

.PHONY: bench
bench: ## all benchmarks (BENCH=regexp), in the form that benchstat reads
	go test -run '^$$' -bench '$(BENCH)' -benchmem $(PATTERNS)

# Go gives each new input up to a minute to be made smaller, and tries no others meanwhile: with few seconds that is
# nearly all of them. A count of tries keeps the time for fuzzing.
.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME (60s) each
	@git grep --untracked -oE '^func Fuzz[A-Za-z0-9_]+' -- '*_test.go' | while IFS=: read -r file func; do \
		dir=$$(dirname "$$file"); name=$${func#func }; echo "== $$dir $$name"; \
		go test -C "$$dir" -run '^$$' -fuzz "^$$name\$$" -fuzztime '$(FUZZTIME)' -fuzzminimizetime 100x . </dev/null; \
	done
