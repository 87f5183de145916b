// Package approval collects sign-offs for a change request.
package approval

import "errors"

// Status is the state of a request.
type Status int

// Statuses of a request.
const (
	Draft Status = iota
	Pending
	Approved
	Rejected
)

// Errors returned by Request.
var (
	ErrStatus = errors.New("approval: not possible in this status")
	ErrAuthor = errors.New("approval: authors cannot approve their own request")
	ErrTwice  = errors.New("approval: already approved by this person")
)

// Request needs a number of approvals by people other than its author.
type Request struct {
	author   string
	needed   int
	status   Status
	approved map[string]bool
	reason   string
	revision int
}

// NewRequest returns a draft, revision 1.
func NewRequest(author string, needed int) *Request {
	return &Request{author: author, needed: needed, approved: map[string]bool{}, revision: 1}
}

// Submit sends a draft out for approval.
func (r *Request) Submit() error {
	if r.status != Draft {
		return ErrStatus
	}
	r.status = Pending
	return nil
}

// Approve signs the request off and returns how many approvals are missing.
func (r *Request) Approve(by string) (int, error) {
	if r.status != Pending {
		return 0, ErrStatus
	}
	if by == r.author {
		return 0, ErrAuthor
	}
	if r.approved[by] {
		return 0, ErrTwice
	}
	r.approved[by] = true
	left := max(r.needed-len(r.approved), 0)
	if left == 0 {
		r.status = Approved
	}
	return left, nil
}

// Reject turns a pending request down for a reason.
func (r *Request) Reject(reason string) error {
	if r.status != Pending {
		return ErrStatus
	}
	r.status, r.reason = Rejected, reason
	return nil
}

// Revise makes a rejected request a draft again, without its approvals, and
// returns the new revision.
func (r *Request) Revise() (int, error) {
	if r.status != Rejected {
		return r.revision, ErrStatus
	}
	r.status, r.reason = Draft, ""
	clear(r.approved)
	r.revision++
	return r.revision, nil
}

// Status returns the status and, for a rejected request, the reason.
func (r *Request) Status() (Status, string) { return r.status, r.reason }
