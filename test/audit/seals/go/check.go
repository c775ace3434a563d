// Checks a seal, proofs in it and its growth with the code of the Go checksum database.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type record struct {
	Entry string
	Index int64
	Path  []string
}

type input struct {
	Key, Note, OldNote string
	Growth             []string
	Records            []record
}

func must(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func bytesOf(text string) []byte {
	bytes, err := base64.StdEncoding.DecodeString(text)
	must(err)
	return bytes
}

func hashOf(text string) (hash tlog.Hash) {
	if copy(hash[:], bytesOf(text)) != len(hash) {
		must(fmt.Errorf("%s is no hash", text))
	}
	return hash
}

func hashesOf(texts []string) (hashes []tlog.Hash) {
	for _, text := range texts {
		hashes = append(hashes, hashOf(text))
	}
	return hashes
}

// The size and the root of a note that the key has signed.
func open(signed string, key note.Verifier) (size int64, root tlog.Hash) {
	opened, err := note.Open([]byte(signed), note.VerifierList(key))
	must(err)
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != key.Name() {
		must(fmt.Errorf("the note has %d lines, of %s", len(lines), lines[0]))
	}
	_, err = fmt.Sscanf(lines[1], "%d", &size)
	must(err)
	return size, hashOf(lines[2])
}

func main() {
	var in input
	must(json.NewDecoder(os.Stdin).Decode(&in))
	key, err := note.NewVerifier(in.Key)
	must(err)
	size, root := open(in.Note, key)
	oldSize, oldRoot := open(in.OldNote, key)
	must(tlog.CheckTree(hashesOf(in.Growth), size, root, oldSize, oldRoot))
	for _, one := range in.Records {
		leaf := tlog.RecordHash(bytesOf(one.Entry))
		must(tlog.CheckRecord(hashesOf(one.Path), size, root, one.Index, leaf))
	}
	fmt.Println("ok")
}
