// Package schema is the only room that knows JSON Schema: it lets schemas in, reflects them from Go types, checks
// values against them and answers questions about their shape.
//
// A schema comes from a stranger (a tool server, a document, a language model) or from a Go type. Either way it
// passes one gate ([Parse], [FromValue], [For]), which reads it into a tree of nodes, resolves every reference inside
// the document and refuses what could hang, overflow or reach out: nothing here opens a file or a connection. What is
// merely not understood (a look-ahead in a pattern) is reported and left unchecked, never
// turned into a refusal of good values.
//
// The dialect is JSON Schema 2020-12. Documents that declare draft 4, 6, 7 or 2019-09 are read by their own rules into
// the same tree. Formats and content keywords are annotations and are never asserted.
//
// Schemas are compared with one another too. [Schema.Lookup] says what stands at a path; [Assignable] proves, where it can, that
// what one schema describes fits another, or never does; [Compare] judges how a schema changed; [Schema.ShapeHash] tells quickly that
// it did not. What is proved holds for every value; where no proof is found, that is what the answer says.
//
// Checking is fast where it can be and detailed where it must be: [Schema.Valid] walks the tree of nodes without
// allocating; [Schema.Check] asks the validation library to explain what is wrong and puts its findings in order.
package schema
