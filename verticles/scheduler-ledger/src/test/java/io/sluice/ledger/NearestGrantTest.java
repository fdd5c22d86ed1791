package io.sluice.ledger;

import static io.sluice.ledger.LedgerOnABus.NODE_SIZE;
import static io.sluice.ledger.LedgerOnABus.SMALL;
import static io.sluice.ledger.LedgerOnABus.UNIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.GrantChange.Kind;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.ledger.grant.NearestGrant.Sufficiency;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is missing is named over the bus, and no request for it changes the ledger. */
@ExtendWith(VertxExtension.class)
class NearestGrantTest {
    private static final Duration TTL = Duration.ofSeconds(120);

    private Bus bus;
    private LedgerOnABus scene;

    @BeforeEach
    void deploy(Vertx vertx) {
        scene = new LedgerOnABus(vertx);
        bus = scene.bus;
        scene.deploy();
    }

    private static HoldRoom room(String holder, Resources amounts) {
        return new HoldRoom("n", holder, "ns", "to-come", "", amounts, Overcommit.OFF, TTL);
    }

    private HoldReply hold(String holder, Resources amounts) {
        return scene.request(LedgerAddresses.HOLD, room(holder, amounts)).await();
    }

    /** A query changes nothing, so one that a busy machine does not answer in time is sent again. */
    private NearestGrant nearest(GrantQuery query) {
        return Awaitility.await()
                .ignoreException(ReplyException.class)
                .until(() -> bus.request(LedgerAddresses.NEAREST_GRANT, query).await(), reply -> true);
    }

    private static GrantChange more(Kind kind, long milliCpu) {
        return GrantChange.more(kind, "n", new Resources(milliCpu, 0), FixedAmounts.NONE);
    }

    /** The VM has its whole maximum reserved, 4 CPUs of 10, until its agent requests. */
    @Test
    void namesTheRoomThatAHoldLacksAndTheVmThatCouldLeave() {
        scene.load();
        var large = room("pod-1", SMALL.times(8));
        var before = scene.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("n"))
                .await();

        assertThat(nearest(new GrantQuery.OfHold(large, false)))
                .isEqualTo(new NearestGrant(
                        Sufficiency.ANY,
                        List.of(
                                more(Kind.ROOM, 2000),
                                new GrantChange(
                                        Kind.VM_MOVED, "n", SMALL.times(4), FixedAmounts.NONE, "vm", "ns/vm"))));
        assertThat(nearest(new GrantQuery.OfHold(room("pod-1", SMALL), false)))
                .isEqualTo(new NearestGrant(Sufficiency.GRANTED, List.of()));
        assertThat(scene.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("n"))
                        .await())
                .isEqualTo(before);
    }

    @Test
    void namesTheWatermarkThatKeepsAVmFromANode() {
        scene.load();
        var target = room(HoldRoom.forMigration("ns", "m"), SMALL.times(5));

        assertThat(nearest(new GrantQuery.OfHold(target, false)).sufficiency()).isEqualTo(Sufficiency.GRANTED);
        assertThat(nearest(new GrantQuery.OfHold(target, true)).changes())
                .extracting(GrantChange::kind)
                .containsExactly(Kind.ROOM, Kind.WATERMARK, Kind.VM_MOVED);
        assertThat(nearest(new GrantQuery.OfHold(target, true)).changes())
                .contains(more(Kind.ROOM, 1), more(Kind.WATERMARK, 1));
    }

    @Test
    void namesThePodForWhichRoomIsKept() {
        scene.load();
        var kept = new KeptRoom("n", "large", "ns/large", NODE_SIZE, 0);
        scene.request(LedgerAddresses.KEEP, new KeepRoom(kept, KeepRoom.KEPT_AT_MOST))
                .await();

        assertThat(nearest(new GrantQuery.OfHold(room("small", SMALL), false)).changes())
                .contains(GrantChange.of(Kind.CLAIM_ENDED, "n", "ns/large"));
    }

    /** Of 10 CPUs the VM has 1 and a hold 8.9; its compute unit is 250m, so 100m of room are none. */
    @Test
    void namesTheRoomAndTheHoldThatAPermitLacks() {
        scene.load();
        permit(1, SMALL);
        assertThat(hold("pod-1", new Resources(8900, 0))).isInstanceOf(HoldReply.Held.class);
        var denied = (PermitReply.Ruled) permit(2, new Resources(1500, SMALL.memoryBytes()));
        assertThat(denied.permit()).isEqualTo(SMALL);

        var last = new GrantQuery.OfPermit("n", "vm", Resources.NONE);
        assertThat(nearest(last).sufficiency()).isEqualTo(Sufficiency.ANY);
        assertThat(nearest(last).changes())
                .containsExactly(
                        more(Kind.ROOM, 400),
                        new GrantChange(
                                Kind.HOLD_ENDED,
                                "n",
                                new Resources(8900, 0),
                                FixedAmounts.NONE,
                                "pod-1",
                                "ns/to-come"));
    }

    /** The maximum is 4 CPUs; 5 would need one more of both. */
    @Test
    void namesAllThatIsMissingWhereNothingAloneIsEnough() {
        scene.load();
        permit(1, SMALL);
        hold("pod-1", new Resources(8900, 0));

        var beyond = new GrantQuery.OfPermit("n", "vm", new Resources(5000, SMALL.memoryBytes()));

        assertThat(nearest(beyond))
                .isEqualTo(new NearestGrant(Sufficiency.ALL, List.of(more(Kind.ROOM, 3900), more(Kind.MAXIMUM, 1000))));
    }

    @Test
    void hasNothingToNameForANodeAndAPodThatItDoesNotHave() {
        assertThat(nearest(new GrantQuery.OfPermit("n", "vm", SMALL))).isEqualTo(NearestGrant.UNKNOWN);
        scene.load();
        assertThat(nearest(new GrantQuery.OfPermit("n", "another", SMALL))).isEqualTo(NearestGrant.UNKNOWN);
    }

    private PermitReply permit(long seq, Resources target) {
        scene.request(LedgerAddresses.OPEN, new OpenSession("n", "vm", "runner", 0))
                .await();
        return scene.request(
                        LedgerAddresses.PERMIT,
                        new PermitRequest(
                                "n",
                                "vm",
                                "runner",
                                LedgerOnABus.FIRST_SESSION,
                                seq,
                                UNIT,
                                target,
                                Optional.empty(),
                                Optional.empty()))
                .await();
    }
}
