package io.sluice.ledger.wire;

import io.sluice.codecs.DeviceParts;
import io.sluice.ledger.core.state.NewReservation;
import io.sluice.ledger.core.state.PodIdentity;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * Parts of several messages of the ledger. They have no version of their own: a change of a part needs a new version of
 * each message that contains it.
 */
final class LedgerParts {
    private LedgerParts() {}

    /** Id, namespace, name, vmName texts, createdAtSeconds i64. */
    static void write(PodIdentity pod, WireWriter out) {
        out.text(pod.id())
                .text(pod.namespace())
                .text(pod.name())
                .text(pod.vmName())
                .i64(pod.createdAtSeconds());
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

    /** Identity, amounts resources, overcommit, fixed amounts, requests for GPUs. */
    static void write(NewReservation reservation, WireWriter out) {
        write(reservation.pod(), out);
        out.resources(reservation.amounts());
        write(reservation.overcommit(), out);
        out.fixedAmounts(reservation.fixed());
        DeviceParts.writeRequests(reservation.gpus(), out);
    }

    static NewReservation reservation(WireReader in) {
        return new NewReservation(
                identity(in), in.resources(), overcommit(in), in.fixedAmounts(), DeviceParts.requests(in));
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
            throw new IllegalArgumentException("there is no instant " + sinceEpoch + " from 1970", beyond);
        }
    }
}
