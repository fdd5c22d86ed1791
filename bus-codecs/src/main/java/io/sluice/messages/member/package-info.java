/** What each process of a Hazelcast cluster sends the others about itself, for operators. */
package io.sluice.messages.member;
