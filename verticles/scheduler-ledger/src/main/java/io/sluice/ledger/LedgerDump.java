package io.sluice.ledger;

import io.sluice.ledger.core.AgentSession;
import io.sluice.ledger.core.MigrationArrival;
import io.sluice.ledger.core.NodePressure;
import io.sluice.ledger.core.NodeState;
import io.sluice.ledger.core.NodeSums;
import io.sluice.ledger.core.Observations;
import io.sluice.ledger.core.Reservation;
import io.sluice.ledger.core.ReservationAmounts;
import io.sluice.ledger.core.ReservationLimits;
import io.sluice.ledger.core.ReservationStatus;
import io.sluice.ledger.store.LedgerStore;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.shell.Dumps;
import io.sluice.shell.OnContext;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The books as people read them: a piece for each node that this process keeps, with all that the ledger keeps of it.
 */
final class LedgerDump implements Dumps.Source {
    private static final String GONE = "null";
    private static final String VERSION = "version";
    private static final String RESERVED = "reserved";
    private static final String BUFFER = "buffer";
    private static final String MIGRATING = "migrating";

    private final LedgerStore store;
    private final OnContext home;
    private final ToLongFunction<String> broken;

    /**
     * @param store where the books are
     * @param home where the store, and {@code broken}, may be asked
     * @param broken how many commands left a node's books inconsistent
     */
    LedgerDump(LedgerStore store, OnContext home, ToLongFunction<String> broken) {
        this.store = store;
        this.home = home;
        this.broken = broken;
    }

    @Override
    public Future<List<String>> keys() {
        return home.run(store::kept);
    }

    @Override
    public Future<String> read(String node) {
        return home.run(() -> store.read(node)
                .map(found -> found.map(
                                state -> json(state, broken.applyAsLong(node)).encode())
                        .orElse(GONE)));
    }

    private static JsonObject json(NodeState state, long invariantsBroken) {
        var members = new JsonArray();
        state.members().forEach(member -> members.add(json(member)));
        return new JsonObject()
                .put("node", state.node())
                .put("listing", json(state.listing()))
                .put("size", json(state.size()))
                .put("sums", json(state.sums()))
                .put("pressure", json(NodePressure.of(state)))
                .put("tombstones", state.gone().versions().size())
                .put("invariantsBroken", invariantsBroken)
                .put("members", members);
    }

    private static JsonObject json(NodeState.FullListState listing) {
        boolean listed = listing.version() != LoadNode.NEVER;
        return new JsonObject()
                .put("complete", listing.complete())
                .put(VERSION, listed ? listing.version() : null)
                .put("loadedAt", text(listing.loadedAt()))
                .put("incarnation", listing.incarnation().map(String::valueOf).orElse(null));
    }

    private static JsonObject json(NodeState.Size size) {
        return new JsonObject()
                .put(VERSION, size.version().orElse(null))
                .put("total", json(size.total()))
                .put("watermark", json(size.watermark()))
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
                .put(MIGRATING, json(sums.migrating()));
    }

    private static JsonObject json(NodePressure pressure) {
        return new JsonObject()
                .put("tooMuch", pressure.tooMuch())
                .put("clear", pressure.clear())
                .put("logical", json(pressure.logical()))
                .put("slack", json(pressure.slack()));
    }

    private static JsonObject json(Reservation member) {
        var who = member.who();
        return new JsonObject()
                .put("id", who.id())
                .put("namespace", who.namespace())
                .put("name", who.name())
                .put("vm", who.vmName())
                .put("createdAtSeconds", who.createdAtSeconds())
                .put("amounts", json(member.amounts()))
                .put("limits", json(member.limits()))
                .put("talk", json(member.talk()))
                .put("standing", json(member.standing()))
                .put("seen", json(member.seen()));
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

    private static JsonObject json(AgentSession talk) {
        return new JsonObject()
                .put("session", talk.session())
                .put("runner", talk.runner())
                .put("seq", talk.seq())
                .put(
                        "target",
                        talk.last()
                                .map(taken -> json(taken.question().target()))
                                .orElse(null))
                .put(
                        "permit",
                        talk.last().map(taken -> json(taken.answer().permit())).orElse(null))
                .put("load1", talk.load1().orElse(null))
                .put("askedAt", text(talk.askedAt()))
                .put("overclaimed", talk.overclaimed());
    }

    private static JsonObject json(ReservationStatus standing) {
        return new JsonObject()
                .put("contact", standing.contact().name())
                .put("throughUs", standing.throughUs())
                .put("heldUntil", text(standing.heldUntil()))
                .put("heldFor", standing.heldFor())
                .put(MIGRATING, standing.migrating())
                .put("marks", json(standing.marks()))
                .put("forcedTold", standing.forcedTold())
                .put("arrival", json(standing.arrival()));
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

    private static JsonObject json(Observations seen) {
        return new JsonObject()
                .put("pod", seen.pod().map(LedgerDump::json).orElse(null))
                .put("vm", seen.vm().map(LedgerDump::json).orElse(null))
                .put("since", seen.since().toString());
    }

    private static JsonObject json(Observations.Kind fact) {
        return new JsonObject().put(VERSION, fact.version()).put("amounts", json(fact.amounts()));
    }

    private static JsonObject json(Overcommit overcommit) {
        return new JsonObject().put("cpuMilli", overcommit.cpuMilli()).put("memoryMilli", overcommit.memoryMilli());
    }

    private static JsonObject json(Resources amount) {
        return new JsonObject().put("milliCpu", amount.milliCpu()).put("memoryBytes", amount.memoryBytes());
    }

    private static String text(Optional<Instant> at) {
        return at.map(Instant::toString).orElse(null);
    }
}
