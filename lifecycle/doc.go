// Package lifecycle is what every surface of wf offers, as one set of operations: the command line, servers and hosts in Go all
// call the same ones, under the same names.
//
// [API] is the operations as Go methods; [Methods] is the table of them, by name, with parameters and results that are JSON;
// [Call] makes an operation of the table. [Service] is the implementation on a store, the sources at hand and a runtime.
// Package apitest is the suite that every implementation passes.
//
// Whatever an operation says about a run it says within bounds, unless the whole is asked for, and with advice what to do next:
// see [Advice]. What fails is an [*Error], which has a kind, diagnostics and the next actions.
package lifecycle
