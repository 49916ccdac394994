package lifecycle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle/gate"
	"lda.chat/wf/source"
)

const (
	kindArtifact   = "artifact"
	artifactFormat = "wf-artifact/1"

	mostVersion = 64 // characters: a name, an "@" and a version are one key of a store
)

// Saved is an artifact as it is stored and exported. Nothing in it ever changes.
type Saved struct {
	Format  string `json:"format"`
	Name    string `json:"name"`
	Version string `json:"version"`
	Digest  string `json:"digest"` // of all but the version, the engine and the time
	Title   string `json:"title,omitempty"`
	// Plan is the plan's canonical form, without the saved workflows that it runs: these are Children.
	Plan     json.RawMessage  `json:"plan"`
	Outcomes []wf.Outcome     `json:"outcomes"`
	Sources  []string         `json:"sources"`  // the logical ones, which a deployment binds
	Requires []Requirement    `json:"requires"` // also by its children
	Reducers []wf.ReducerSpec `json:"reducers,omitempty"`
	Children []Pin            `json:"children,omitempty"`
	Engine   string           `json:"engine"` // the version of wf that saved it
	Created  time.Time        `json:"created"`
}

// Requirement is a capability that an artifact calls, with its contract as it was when the artifact was saved.
type Requirement struct {
	gate.Required
	Hash string `json:"hash"` // see [source.ContractHash]
}

func (a *Saved) key() string { return a.Name + "@" + a.Version }

// newSaved makes an artifact of a plan that was checked and has no errors.
func (s *Service) newSaved(name, title string, c *checked) *Saved {
	a := &Saved{Format: artifactFormat, Name: name, Title: title, Plan: unlinked(c.workflow, c.children).Canonical(),
		Outcomes: slices.Clone(c.workflow.Outcomes), Sources: []string{}, Requires: []Requirement{}, Children: c.children, Engine: engineVersion()}
	if len(a.Outcomes) == 0 {
		a.Outcomes = []wf.Outcome{wf.OK}
	}
	var uses []source.Use
	for _, r := range gate.Require(c.workflow, s.contract) {
		req := Requirement{Required: r}
		if r.Saved != nil {
			req.Hash = source.ContractHash(r.Saved)
		}
		a.Requires = append(a.Requires, req)
		uses = append(uses, r.Use)
	}
	a.Sources = append(a.Sources, source.LogicalSources(uses)...)
	for _, name := range reducersOf(c.workflow) {
		if spec, ok := s.reducers[name]; ok {
			a.Reducers = append(a.Reducers, spec)
		}
	}
	a.Digest, a.Created = a.digest(), s.now().UTC()
	return a
}

// contract is that of a capability as it is now; nil if nobody has it.
func (s *Service) contract(ref string) *wf.NodeDef {
	if fn, ok := s.set.Node(ref); ok {
		return fn.Contract()
	}
	return nil
}

// digest names the artifact's content: what makes another one of it.
func (a *Saved) digest() string {
	c := *a
	c.Version, c.Digest, c.Engine, c.Created = "", "", "", time.Time{}
	text, err := json.Marshal(c)
	if err != nil {
		return ""
	}
	v, err := value.Parse(text)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(v.AppendCanonical(nil))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// reducersOf lists the host's reducers that a plan's states name, sorted.
func reducersOf(w *wf.Workflow) (names []string) {
	state, _ := value.Parse(w.StateSchema)
	for _, field := range state.Get("properties").Members() {
		if name, ok := field.Get("x-reducer").AsString(); ok && strings.Contains(name, ".") && !strings.HasPrefix(name, "wf.") {
			names = append(names, name)
		}
	}
	for _, nested := range w.Workflows {
		if nested != nil {
			names = append(names, reducersOf(nested)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// engineVersion is the version of wf that is linked in.
func engineVersion() string {
	const unknown = "(devel)"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknown
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == "lda.chat/wf" && m.Version != "" {
			return m.Version
		}
	}
	return unknown
}

// splitArtifact takes name@version apart, and checks both.
func splitArtifact(param, ref string) (name, version string, err *Error) {
	name, version, ok := strings.Cut(ref, "@")
	if !ok {
		bad := badParam(param, "%q names no artifact: expected its name and its version, such as \"report@1\"", clip(ref))
		if checkID(param, ref, mostID) == nil {
			bad.next(listVersions(ref))
		}
		return "", "", bad
	}
	if err := checkID(param, name, mostID); err != nil {
		return "", "", err
	}
	return name, version, checkID(param, version, mostVersion)
}

// loadArtifact reads an artifact by its name and version.
func (s *Service) loadArtifact(ctx context.Context, param, ref string) (*Saved, *Error) {
	if _, _, err := splitArtifact(param, ref); err != nil {
		return nil, err
	}
	r, err := s.store.GetRecord(ctx, kindArtifact, ref)
	if err != nil {
		return nil, missingArtifact(ref, err)
	}
	return readArtifact(ref, r.Value)
}

func readArtifact(ref string, text []byte) (*Saved, *Error) {
	a := &Saved{}
	err := json.Unmarshal(text, a)
	if err == nil && a.Format != artifactFormat {
		err = fmt.Errorf("its format is %q, expected %q", a.Format, artifactFormat)
	}
	if err != nil {
		return nil, damaged(kindArtifact, ref, err)
	}
	return a, nil
}

func missingArtifact(ref string, err error) *Error {
	if _, gone := errors.AsType[*wf.NotFoundError](err); !gone {
		return errorOf(err)
	}
	name, _, _ := strings.Cut(ref, "@")
	return failed(NotFound, codeArtifactNotFound, fmt.Sprintf("there is no artifact %q", ref), "").
		next(listVersions(name),
			action(toInspect, "artifacts.list", ListArtifacts{}, "which artifacts there are", "artifact", "list"))
}

// linkedPlan is the plan of an artifact with the saved workflows that it runs, as it is run.
func (s *Service) linkedPlan(ctx context.Context, a *Saved) (*wf.Workflow, error) {
	l, err := s.link(ctx, a.Plan)
	if err != nil {
		return nil, err
	}
	w, found := wf.ParseWorkflow(l.text)
	if w == nil {
		return nil, damaged(kindArtifact, a.key(), found.Err())
	}
	return w, nil
}

// putArtifact keeps an artifact. With no version it gets the next one, or the last one if that is the same. there tells that
// it was there already.
func (s *Service) putArtifact(ctx context.Context, a *Saved) (kept *Saved, there bool, err error) {
	next := a.Version == ""
	for {
		if next {
			last, err := s.lastVersion(ctx, a.Name)
			if err != nil {
				return nil, false, err
			}
			if last > 0 {
				was, failure := s.loadArtifact(ctx, "artifact", fmt.Sprintf("%s@%d", a.Name, last))
				if failure != nil {
					return nil, false, failure
				}
				if was.Digest == a.Digest {
					return was, true, nil
				}
			}
			a.Version = fmt.Sprint(last + 1)
			if _, ok := number(a.Version); !ok {
				return nil, false, badParam("version", "the artifact %q has the version %d, and no number comes behind that: give it a version", a.Name, last)
			}
		}
		text, err := json.Marshal(a)
		if err != nil {
			return nil, false, errorOf(err)
		}
		_, err = s.store.PutRecord(ctx, kindArtifact, a.key(), 0, text)
		if err == nil {
			return a, false, nil
		}
		if _, exists := errors.AsType[*wf.ConflictError](err); !exists {
			return nil, false, errorOf(err)
		}
		was, failure := s.loadArtifact(ctx, "artifact", a.key())
		switch {
		case failure != nil:
			return nil, false, failure
		case was.Digest == a.Digest:
			return was, true, nil
		case !next:
			return nil, false, versionExists(a, was)
		}
	}
}

// versionExists is the error of saving another thing under a version that is there.
func versionExists(a, was *Saved) *Error {
	differs := "the title differs"
	switch {
	case string(a.Plan) != string(was.Plan):
		differs = "the plan differs"
	case !slices.Equal(a.Children, was.Children):
		differs = "the saved workflows that the plan runs differ"
	case a.Title == was.Title:
		differs = "the plan is the same, and the contracts of what it calls differ"
	}
	return failed(Conflict, codeVersionExists, fmt.Sprintf("there is an artifact %q already, and it is another one: %s", was.key(), differs),
		"a version never changes: save it under the next one, by leaving the version out").
		next(showArtifact(was.key(), "what is there"))
}

// lastVersion is the greatest version of a name among those that are numbers; 0: there is none.
func (s *Service) lastVersion(ctx context.Context, name string) (last uint64, err error) {
	for cursor := ""; ; {
		page, err := s.store.ScanRecords(ctx, kindArtifact, name+"@", cursor, 0)
		if err != nil {
			return 0, errorOf(err)
		}
		for _, r := range page.Records {
			if n, ok := number(r.Key[len(name)+1:]); ok {
				last = max(last, n)
			}
		}
		if cursor = page.Next; cursor == "" {
			return last, nil
		}
	}
}

// number reads a version that is a number, written as we write it.
func number(version string) (n uint64, ok bool) {
	_, err := fmt.Sscanf(version, "%d", &n)
	return n, err == nil && fmt.Sprint(n) == version && n < 1<<53
}
