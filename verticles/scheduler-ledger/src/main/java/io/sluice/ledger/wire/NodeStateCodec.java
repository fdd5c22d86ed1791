package io.sluice.ledger.wire;

import io.sluice.codecs.DeviceParts;
import io.sluice.codecs.ledger.KeptRoomPart;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.NodeSums;
import io.sluice.ledger.core.state.ReservationTable;
import io.sluice.ledger.core.state.RoomClaim;
import io.sluice.ledger.core.state.Tombstones;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The codec of node ledgers. v9: node text; version i64?, total, watermark resources, goneAt instant?, notReady since
 * instant, growthStopped bool?, fixed amounts, devices; complete bool, full list version i64, loadedAt instant?,
 * incarnation i64?; reservations by id; tombstones by uid, each uid text, version i64; ended attempts by id, each id
 * text, instant. A reservation: id, namespace, name, vmName texts, createdAtSeconds i64; reserved, requested, pressure,
 * buffer resources, overcommit; min, max, unit resources, autoscaled, migratable, alwaysMigrate bools; session i64,
 * runner text, last request and reply messages?, load1 f32?, requestedAt instant?, overclaimed bool, keptSince
 * instant?, grownAt i64?; contact u8, throughUs bool, heldUntil instant?, heldFor text, marks by attempt, each attempt
 * text, begun bool; forceReported bool, holder, attempt texts, underWay bool; pod, vm version i64 and amounts
 * resources?, since instant, locked bool, deferred resources, fixed amounts, shares of GPUs. After the attempts the
 * room that is kept?: {@link KeptRoomPart}, since, until instant. An instant is i64 seconds and i32 nanoseconds.
 *
 * <p>Equal states have equal bytes. The sums are not sent: they always match the reservations, so counting again gives
 * the same, and no bytes can yield a state whose sums do not match its reservations.
 */
public final class NodeStateCodec extends WireCodec<NodeState> {
    /** The codec. */
    public NodeStateCodec() {
        super("ledger.node-state", 9);
    }

    @Override
    protected void write(NodeState state, WireWriter out) {
        out.text(state.node());
        write(state.size(), out);
        write(state.fullList(), out);
        out.list(state.reservations().all(), (to, reservation) -> ReservationPart.write(reservation, to));
        write(state.gone(), out);
        out.optional(state.claim(), (to, claim) -> write(claim, to));
    }

    @Override
    protected NodeState read(int version, WireReader in) {
        var node = in.text();
        var size = size(in);
        var fullList = fullList(in);
        var reservations = ReservationTable.of(in.list(ReservationPart::read));
        return new NodeState(
                node,
                size,
                fullList,
                counted(reservations),
                reservations,
                gone(in),
                in.optional(NodeStateCodec::claim));
    }

    private static NodeSums counted(ReservationTable reservations) {
        try {
            return NodeSums.over(reservations);
        } catch (ArithmeticException beyond) {
            throw new IllegalArgumentException("its reservations add up to more than 64 bits", beyond);
        }
    }

    static void write(NodeState.Size size, WireWriter out) {
        out.optional(size.version(), WireWriter::i64)
                .resources(size.total())
                .resources(size.watermark())
                .optional(size.goneAt(), (to, at) -> LedgerParts.write(at, to))
                .optional(size.notReady(), (to, notReady) -> {
                    LedgerParts.write(notReady.since(), to);
                    to.bool(notReady.growthStopped());
                })
                .fixedAmounts(size.fixed());
        DeviceParts.write(size.devices(), out);
    }

    static NodeState.Size size(WireReader in) {
        return new NodeState.Size(
                in.optional(WireReader::i64),
                in.resources(),
                in.resources(),
                in.optional(LedgerParts::instant),
                in.optional(from -> new NodeState.NotReady(LedgerParts.instant(from), from.bool())),
                in.fixedAmounts(),
                DeviceParts.node(in));
    }

    static void write(NodeState.FullListState fullList, WireWriter out) {
        out.bool(fullList.complete())
                .i64(fullList.version())
                .optional(fullList.loadedAt(), (to, at) -> LedgerParts.write(at, to))
                .optional(fullList.incarnation(), WireWriter::i64);
    }

    static NodeState.FullListState fullList(WireReader in) {
        return new NodeState.FullListState(
                in.bool(), in.i64(), in.optional(LedgerParts::instant), in.optional(WireReader::i64));
    }

    static void write(Tombstones gone, WireWriter out) {
        out.list(
                        sorted(gone.versions()),
                        (to, uid) -> to.text(uid).i64(gone.versions().get(uid)))
                .list(
                        sorted(gone.attempts()),
                        (to, id) -> LedgerParts.write(gone.attempts().get(id), to.text(id)));
    }

    static void write(RoomClaim claim, WireWriter out) {
        KeptRoomPart.write(claim.room(), out);
        LedgerParts.write(claim.since(), out);
        LedgerParts.write(claim.until(), out);
    }

    static RoomClaim claim(WireReader in) {
        return new RoomClaim(KeptRoomPart.read(in), LedgerParts.instant(in), LedgerParts.instant(in));
    }

    private static List<String> sorted(Map<String, ?> all) {
        return all.keySet().stream().sorted().toList();
    }

    static Tombstones gone(WireReader in) {
        var pods = byName(in.list(from -> Map.entry(from.text(), from.i64())), "pod");
        return new Tombstones(
                pods, byName(in.list(from -> Map.entry(from.text(), LedgerParts.instant(from))), "attempt"));
    }

    private static <V> Map<String, V> byName(List<Map.Entry<String, V>> entries, String what) {
        var all = new HashMap<String, V>(2 * entries.size());
        for (var entry : entries) {
            if (all.put(entry.getKey(), entry.getValue()) != null) {
                throw new IllegalArgumentException(what + " " + entry.getKey() + " has two tombstones");
            }
        }
        return all;
    }
}
