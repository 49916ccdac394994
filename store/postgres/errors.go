package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"lda.chat/wf"
)

// The states of PostgreSQL that are told apart: https://www.postgresql.org/docs/current/errcodes-appendix.html
const (
	stateNoPassword    = "28P01"
	stateNoLogin       = "28000"
	stateNoDatabase    = "3D000"
	stateNotPermitted  = "42501"
	stateReadOnly      = "25006"
	stateTooMany       = "53300"
	stateFull          = "53100"
	stateLocked        = "55P03"
	stateDataDamaged   = "XX001"
	stateIndexDamaged  = "XX002"
	stateNotYet        = "57P03"
	severityOfARequest = "ERROR" // more severe ones end the connection
)

var hints = map[string]string{
	stateNoPassword:   "user or password are wrong",
	stateNoLogin:      "the server does not let this user in; see its pg_hba.conf",
	stateNoDatabase:   "the database does not exist; make it with createdb",
	stateNotPermitted: "the user lacks a permission; let the database's owner make the schema and give it to the user (CREATE SCHEMA … AUTHORIZATION …)",
	stateReadOnly:     "the server only reads; give the address of the primary",
	stateTooMany:      "the server has no connection left; raise max_connections, or lower pool_max_conns in the address",
	stateFull:         "the server's disk is full",
	stateLocked:       "another process holds what is to be changed for too long",
	stateNotYet:       "the server is starting or stopping; try again",
}

// explain makes of an error of the driver what callers can tell apart.
func (s *Store) explain(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		if e.Code == stateDataDamaged || e.Code == stateIndexDamaged {
			return &wf.CorruptError{Place: s.place, Problem: e.Message}
		}
		if hint := hints[e.Code]; hint != "" {
			return fmt.Errorf("%s: %s: %w", s.place, hint, err)
		}
		return fmt.Errorf("%s: %w", s.place, err)
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return fmt.Errorf("%s cannot be reached; see that it runs and that the address is right: %w", s.place, err)
	}
	switch {
	case errors.Is(err, wf.ErrJournalClosed), errors.Is(err, context.Canceled):
		return err
	case pgconn.Timeout(err):
		return fmt.Errorf("%s gave no answer in time: %w", s.place, err)
	}
	if _, ours := errors.AsType[*wf.VersionError](err); ours {
		return err
	}
	return fmt.Errorf("%s: %w", s.place, err)
}

// unknown reports whether a transaction that was sent may have been committed although it was answered with this error.
func unknown(err error) bool {
	if pgconn.SafeToRetry(err) {
		return false
	}
	e, ok := errors.AsType[*pgconn.PgError](err)
	return !ok || e.SeverityUnlocalized != severityOfARequest
}

// isRefusal reports whether the server took back a transaction because of a statement.
func isRefusal(err error) bool {
	_, ok := errors.AsType[*pgconn.PgError](err)
	return ok
}
