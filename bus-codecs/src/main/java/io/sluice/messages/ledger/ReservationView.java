package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * One reservation of a node.
 *
 * @param pod the pod's uid
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param vmName the VM's name; empty for a pod without one
 * @param reserved what it may use, before overcommit
 * @param requested what was last requested
 * @param pressure what was requested and refused
 * @param buffer the part of reserved that the VM may be using or not, without a report of it yet
 * @param max it is never granted more
 * @param migrating whether its VM is migrating away
 * @param contact its last contact with the VM's agent
 * @param session the current session; 0 if none
 * @param seq the last request taken in it; 0 if none
 * @param traits what decides whether and when its VM is migrated
 */
public record ReservationView(
        String pod,
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
        Objects.requireNonNull(pod, "pod");
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

    /** Whether it is recovered, without a request of its agent since. */
    public boolean recovered() {
        return contact == AgentContact.RECOVERED;
    }
}
