package io.sluice.bus;

import io.sluice.codecs.ConfirmHoldCodec;
import io.sluice.codecs.HoldReplyCodec;
import io.sluice.codecs.HoldRoomCodec;
import io.sluice.codecs.LoadNodeCodec;
import io.sluice.codecs.LoadReplyCodec;
import io.sluice.codecs.MarkMigratingCodec;
import io.sluice.codecs.MarkReplyCodec;
import io.sluice.codecs.NodeLedgerViewCodec;
import io.sluice.codecs.OpenReplyCodec;
import io.sluice.codecs.OpenSessionCodec;
import io.sluice.codecs.PermitReplyCodec;
import io.sluice.codecs.PermitRequestCodec;
import io.sluice.codecs.ReclaimCodec;
import io.sluice.codecs.ReclaimReplyCodec;
import io.sluice.codecs.ReleaseHoldCodec;
import io.sluice.codecs.RunnerStatusCodec;
import io.sluice.codecs.SnapshotCodec;
import io.sluice.codecs.SnapshotRequestCodec;
import io.sluice.codecs.UnmarkMigratingCodec;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.ledger.ConfirmHold;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.ledger.UnmarkMigrating;
import java.time.Duration;

/** What the scheduler ledger answers and says. */
public final class LedgerAddresses {
    /** A runner wants to speak for a member. */
    public static final RequestAddress<OpenSession, OpenReply> OPEN = new RequestAddress<>(
            "ledger.open", new OpenSessionCodec(), new OpenReplyCodec(), Duration.ofSeconds(1), 10_000);

    /** A runner tells what its VM should hold. */
    public static final RequestAddress<PermitRequest, PermitReply> PERMIT = new RequestAddress<>(
            "ledger.permit", new PermitRequestCodec(), new PermitReplyCodec(), Duration.ofSeconds(1), 10_000);

    /** All members of a node from one listing. */
    public static final RequestAddress<LoadNode, LoadReply> LOAD_NODE = new RequestAddress<>(
            "ledger.load-node", new LoadNodeCodec(), new LoadReplyCodec(), Duration.ofSeconds(5), 1_000);

    /** Books a recovered member at what it was read to use. */
    public static final RequestAddress<Reclaim, ReclaimReply> SETTLE = new RequestAddress<>(
            "ledger.settle", new ReclaimCodec(), new ReclaimReplyCodec(), Duration.ofSeconds(1), 10_000);

    /** Room for a member that is to come. */
    public static final RequestAddress<HoldRoom, HoldReply> HOLD = new RequestAddress<>(
            "ledger.hold", new HoldRoomCodec(), new HoldReplyCodec(), Duration.ofSeconds(1), 1_000);

    /** What was held is bound. */
    public static final RequestAddress<ConfirmHold, HoldReply> CONFIRM = new RequestAddress<>(
            "ledger.confirm", new ConfirmHoldCodec(), new HoldReplyCodec(), Duration.ofSeconds(1), 1_000);

    /** What is held is not needed any more. */
    public static final RequestAddress<ReleaseHold, HoldReply> RELEASE = new RequestAddress<>(
            "ledger.release", new ReleaseHoldCodec(), new HoldReplyCodec(), Duration.ofSeconds(1), 1_000);

    /** A member begins to move away. */
    public static final RequestAddress<MarkMigrating, MarkReply> MARK = new RequestAddress<>(
            "ledger.mark-migrating", new MarkMigratingCodec(), new MarkReplyCodec(), Duration.ofSeconds(1), 1_000);

    /** A migration of a member is over, or never began. */
    public static final RequestAddress<UnmarkMigrating, MarkReply> UNMARK = new RequestAddress<>(
            "ledger.unmark-migrating", new UnmarkMigratingCodec(), new MarkReplyCodec(), Duration.ofSeconds(1), 1_000);

    /** The books as they are now. */
    public static final RequestAddress<SnapshotRequest, Snapshot> SNAPSHOT = new RequestAddress<>(
            "ledger.snapshot", new SnapshotRequestCodec(), new SnapshotCodec(), Duration.ofSeconds(2), 100);

    /** A node's sums changed; its members are left out, and at most ten a second are said for one node. */
    public static final EventAddress<NodeLedgerView> NODE_CHANGED =
            new EventAddress<>("ledger.node-changed", new NodeLedgerViewCodec());

    /**
     * Where a VM stands whose agent knows no sessions, so that no runner of ours reports it: as the ledger knows it.
     */
    public static final EventAddress<RunnerStatus> VM_STATUS =
            new EventAddress<>("ledger.vm-status", new RunnerStatusCodec());

    private LedgerAddresses() {}
}
