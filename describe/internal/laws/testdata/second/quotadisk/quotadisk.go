// Package quotadisk is an in-memory disk with a byte quota.
package quotadisk

import "fmt"

// Disk stores files until their sizes add up to the quota.
type Disk struct {
	quota int
	used  int
	files map[string]string
}

// NewDisk returns an empty disk of quota bytes.
func NewDisk(quota int) *Disk {
	return &Disk{quota: quota, files: map[string]string{}}
}

// Save writes the file, replacing any earlier content.
func (d *Disk) Save(name, data string) error {
	need := d.used - len(d.files[name]) + len(data)
	if need > d.quota {
		return fmt.Errorf("quotadisk: %s is %d bytes over quota", name, need-d.quota)
	}
	d.used = need
	d.files[name] = data
	return nil
}

// Load returns the content of a file.
func (d *Disk) Load(name string) (string, bool) {
	data, ok := d.files[name]
	return data, ok
}

// Rename moves a file to a name that is not in use.
func (d *Disk) Rename(from, to string) bool {
	data, ok := d.files[from]
	if !ok {
		return false
	}
	if _, taken := d.files[to]; taken {
		return false
	}
	delete(d.files, from)
	d.files[to] = data
	return true
}

// Delete removes a file and returns the bytes that were freed.
func (d *Disk) Delete(name string) int {
	n := len(d.files[name])
	delete(d.files, name)
	d.used -= n
	return n
}

// Available returns the bytes left.
func (d *Disk) Available() int { return d.quota - d.used }
