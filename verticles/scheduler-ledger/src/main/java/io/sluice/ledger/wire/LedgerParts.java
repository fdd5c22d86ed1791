package io.sluice.ledger.wire;

import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.ledger.core.NewReservation;
import io.sluice.ledger.core.PodIdentity;
import io.sluice.messages.cluster.Overcommit;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * Parts that stand in several messages of the ledger. They have no version of their own: one that grows needs a new
 * version of each message that holds it.
 */
final class LedgerParts {
    private LedgerParts() {}

    /** Id, namespace, name, vmName texts, createdAtSeconds i64. */
    static void write(PodIdentity who, WireWriter out) {
        out.text(who.id())
                .text(who.namespace())
                .text(who.name())
                .text(who.vmName())
                .i64(who.createdAtSeconds());
    }

    static PodIdentity identity(WireReader in) {
        return new PodIdentity(in.text(), in.text(), in.text(), in.text(), in.i64());
    }

    /** CPU and memory factor i64, in thousandths. */
    static void write(Overcommit overcommit, WireWriter out) {
        out.i64(overcommit.cpuMilli()).i64(overcommit.memoryMilli());
    }

    static Overcommit overcommit(WireReader in) {
        return new Overcommit(in.i64(), in.i64());
    }

    /** Identity, amounts resources, overcommit. */
    static void write(NewReservation booking, WireWriter out) {
        write(booking.who(), out);
        out.resources(booking.amounts());
        write(booking.overcommit(), out);
    }

    static NewReservation booking(WireReader in) {
        return new NewReservation(identity(in), in.resources(), overcommit(in));
    }

    /** Whole seconds since 1970 as i64, then the nanoseconds beyond them as i32. */
    static void write(Instant at, WireWriter out) {
        out.i64(at.getEpochSecond()).i32(at.getNano());
    }

    static Instant instant(WireReader in) {
        var sinceEpoch = in.duration();
        try {
            return Instant.ofEpochSecond(sinceEpoch.getSeconds(), sinceEpoch.getNano());
        } catch (DateTimeException beyond) {
            throw new IllegalArgumentException("no instant is " + sinceEpoch + " from 1970", beyond);
        }
    }
}
