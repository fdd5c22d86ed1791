/** What the processes of a cluster tell each other of themselves, for people to see. */
package io.sluice.messages.member;
