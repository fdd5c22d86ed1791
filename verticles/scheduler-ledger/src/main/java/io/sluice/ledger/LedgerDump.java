package io.sluice.ledger;

import io.sluice.ledger.core.state.AgentSession;
import io.sluice.ledger.core.state.MigrationArrival;
import io.sluice.ledger.core.state.NodePressure;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.NodeSums;
import io.sluice.ledger.core.state.Observations;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationAmounts;
import io.sluice.ledger.core.state.ReservationLimits;
import io.sluice.ledger.core.state.ReservationStatus;
import io.sluice.ledger.core.state.RoomClaim;
import io.sluice.ledger.store.LedgerStore;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.shell.Dumps;
import io.sluice.shell.OnContext;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The part {@code ledger} of the dump: one piece for each node ledger that this process owns, with its whole state. */
final class LedgerDump implements Dumps.Source {
    private static final String GONE = "null";
    private static final String VERSION = "version";
    private static final String RESERVED = "reserved";
    private static final String BUFFER = "buffer";
    private static final String MIGRATING = "migrating";

    private final LedgerStore store;
    private final OnContext context;
    private final ToLongFunction<String> broken;

    /**
     * Creates the source.
     *
     * @param store the store of the ledger state
     * @param context the context on which the store and {@code broken} are to be called
     * @param broken the number of commands that left a node ledger inconsistent
     */
    LedgerDump(LedgerStore store, OnContext context, ToLongFunction<String> broken) {
        this.store = store;
        this.context = context;
        this.broken = broken;
    }

    @Override
    public Future<List<String>> keys() {
        return context.run(store::kept);
    }

    @Override
    public Future<String> read(String node) {
        return context.run(() -> store.read(node)
                .map(found -> found.map(
                                state -> json(state, broken.applyAsLong(node)).encode())
                        .orElse(GONE)));
    }

    private static JsonObject json(NodeState state, long invariantsBroken) {
        var reservations = new JsonArray();
        state.reservations().forEach(reservation -> reservations.add(json(reservation)));
        return new JsonObject()
                .put("node", state.node())
                .put("fullList", json(state.fullList()))
                .put("size", json(state.size()))
                .put("sums", json(state.sums()))
                .put("pressure", json(NodePressure.of(state)))
                .put("kept", state.claim().map(LedgerDump::json).orElse(null))
                .put("tombstones", state.gone().versions().size())
                .put("invariantsBroken", invariantsBroken)
                .put("reservations", reservations);
    }

    private static JsonObject json(NodeState.FullListState fullList) {
        boolean listed = fullList.version() != LoadNode.NEVER;
        return new JsonObject()
                .put("complete", fullList.complete())
                .put(VERSION, listed ? fullList.version() : null)
                .put("loadedAt", text(fullList.loadedAt()))
                .put("incarnation", fullList.incarnation().map(String::valueOf).orElse(null));
    }

    private static JsonObject json(NodeState.Size size) {
        return new JsonObject()
                .put(VERSION, size.version().orElse(null))
                .put("total", json(size.total()))
                .put("watermark", json(size.watermark()))
                .put("fixed", json(size.fixed()))
                .put("gpus", size.devices().mode().name().toLowerCase(Locale.ROOT))
                .put("goneAt", text(size.goneAt()))
                .put("notReadySince", text(size.notReady().map(NodeState.NotReady::since)));
    }

    private static JsonObject json(NodeSums sums) {
        return new JsonObject()
                .put(RESERVED, json(sums.reserved()))
                .put("committed", json(sums.committed()))
                .put("held", json(sums.held()))
                .put(BUFFER, json(sums.buffer()))
                .put("capacityPressure", json(sums.capacityPressure()))
                .put("accountedPressure", json(sums.accountedPressure()))
                .put(MIGRATING, json(sums.migrating()))
                .put("fixed", json(sums.fixed()))
                .put("fixedHeld", json(sums.fixedHeld()));
    }

    private static JsonObject json(RoomClaim claim) {
        var room = claim.room();
        return new JsonObject()
                .put("uid", room.uid())
                .put("pod", room.pod())
                .put("charge", json(room.charge()))
                .put("fixed", json(room.fixed()))
                .put("upTo", room.upTo())
                .put("since", claim.since().toString())
                .put("until", claim.until().toString());
    }

    private static JsonObject json(NodePressure pressure) {
        return new JsonObject()
                .put("tooMuch", pressure.tooMuch())
                .put("clear", pressure.clear())
                .put("logical", json(pressure.logical()))
                .put("slack", json(pressure.slack()));
    }

    private static JsonObject json(Reservation reservation) {
        var pod = reservation.pod();
        return new JsonObject()
                .put("id", pod.id())
                .put("namespace", pod.namespace())
                .put("name", pod.name())
                .put("vm", pod.vmName())
                .put("createdAtSeconds", pod.createdAtSeconds())
                .put("amounts", json(reservation.amounts()))
                .put("fixed", json(reservation.taken()))
                .put("limits", json(reservation.limits()))
                .put("session", json(reservation.session()))
                .put("status", json(reservation.status()))
                .put("observations", json(reservation.observations()));
    }

    private static JsonObject json(ReservationAmounts amounts) {
        return new JsonObject()
                .put(RESERVED, json(amounts.reserved()))
                .put("requested", json(amounts.requested()))
                .put("pressure", json(amounts.pressure()))
                .put(BUFFER, json(amounts.buffer()))
                .put("charge", json(amounts.charge()))
                .put("overcommit", json(amounts.overcommit()));
    }

    private static JsonObject json(ReservationLimits limits) {
        return new JsonObject()
                .put("min", json(limits.min()))
                .put("max", json(limits.max()))
                .put("unit", json(limits.unit()))
                .put("autoscaled", limits.autoscaled())
                .put("migratable", limits.migratable())
                .put("alwaysMigrate", limits.alwaysMigrate());
    }

    private static JsonObject json(AgentSession session) {
        return new JsonObject()
                .put("session", session.session())
                .put("runner", session.runner())
                .put("seq", session.seq())
                .put(
                        "target",
                        session.last()
                                .map(taken -> json(taken.request().target()))
                                .orElse(null))
                .put(
                        "permit",
                        session.last()
                                .map(taken -> json(taken.answer().permit()))
                                .orElse(null))
                .put("load1", session.load1().orElse(null))
                .put("askedAt", text(session.requestedAt()))
                .put("overclaimed", session.overclaimed());
    }

    private static JsonObject json(ReservationStatus status) {
        return new JsonObject()
                .put("contact", status.contact().name())
                .put("throughUs", status.throughUs())
                .put("heldUntil", text(status.heldUntil()))
                .put("heldFor", status.heldFor())
                .put(MIGRATING, status.migrating())
                .put("marks", json(status.marks()))
                .put("forceReported", status.forceReported())
                .put("arrival", json(status.arrival()));
    }

    private static JsonArray json(List<MigrationMark> marks) {
        var all = new JsonArray();
        marks.forEach(
                mark -> all.add(new JsonObject().put("attempt", mark.attempt()).put("begun", mark.begun())));
        return all;
    }

    private static JsonObject json(MigrationArrival arrival) {
        return arrival.byMigration()
                ? new JsonObject()
                        .put("holder", arrival.holder())
                        .put("attempt", arrival.attempt())
                        .put("underWay", arrival.underWay())
                : null;
    }

    private static JsonObject json(Observations observed) {
        return new JsonObject()
                .put("pod", observed.pod().map(LedgerDump::json).orElse(null))
                .put("vm", observed.vm().map(LedgerDump::json).orElse(null))
                .put("since", observed.since().toString());
    }

    private static JsonObject json(Observations.Kind observation) {
        return new JsonObject().put(VERSION, observation.version()).put("amounts", json(observation.amounts()));
    }

    private static JsonObject json(Overcommit overcommit) {
        return new JsonObject().put("cpuMilli", overcommit.cpuMilli()).put("memoryMilli", overcommit.memoryMilli());
    }

    private static JsonObject json(Resources amount) {
        return new JsonObject().put("milliCpu", amount.milliCpu()).put("memoryBytes", amount.memoryBytes());
    }

    private static JsonObject json(FixedAmounts amounts) {
        var json = new JsonObject();
        amounts.byKind().forEach(json::put);
        return json;
    }

    private static String text(Optional<Instant> at) {
        return at.map(Instant::toString).orElse(null);
    }
}
