package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * What one member holds on its node.
 *
 * @param member the pod's uid
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param vmName the VM's name; empty for a pod without one
 * @param reserved what it may use, in its own scale
 * @param requested what it last asked for
 * @param pressure asked for and refused
 * @param buffer the part of reserved that it may not use, as nobody has told yet
 * @param max it is never granted more
 * @param migrating whether it is moving away
 * @param contact how far its amounts rest on what its agent has said
 * @param session the current session; 0 if none
 * @param seq the last question taken in it; 0 if none
 * @param traits what decides whether and when it is moved
 */
public record ReservationView(
        String member,
        String namespace,
        String name,
        String vmName,
        Resources reserved,
        Resources requested,
        Resources pressure,
        Resources buffer,
        Resources max,
        boolean migrating,
        AgentContact contact,
        long session,
        long seq,
        ReservationTraits traits) {
    public ReservationView {
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(vmName, "vmName");
        Objects.requireNonNull(reserved, "reserved");
        Objects.requireNonNull(requested, "requested");
        Objects.requireNonNull(pressure, "pressure");
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(max, "max");
        Objects.requireNonNull(contact, "contact");
        Objects.requireNonNull(traits, "traits");
    }

    /** Whether it was loaded and has not been heard from yet. */
    public boolean recovered() {
        return contact == AgentContact.RECOVERED;
    }
}
