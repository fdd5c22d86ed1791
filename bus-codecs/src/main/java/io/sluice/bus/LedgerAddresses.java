package io.sluice.bus;

import io.sluice.codecs.agent.RunnerStatusCodec;
import io.sluice.codecs.ledger.GrantQueryCodec;
import io.sluice.codecs.ledger.HoldReplyCodec;
import io.sluice.codecs.ledger.HoldRoomCodec;
import io.sluice.codecs.ledger.KeepReplyCodec;
import io.sluice.codecs.ledger.KeepRoomCodec;
import io.sluice.codecs.ledger.LoadNodeCodec;
import io.sluice.codecs.ledger.LoadReplyCodec;
import io.sluice.codecs.ledger.MarkMigratingCodec;
import io.sluice.codecs.ledger.MarkReplyCodec;
import io.sluice.codecs.ledger.NearestGrantCodec;
import io.sluice.codecs.ledger.NodeLedgerViewCodec;
import io.sluice.codecs.ledger.OpenReplyCodec;
import io.sluice.codecs.ledger.OpenSessionCodec;
import io.sluice.codecs.ledger.PermitReplyCodec;
import io.sluice.codecs.ledger.PermitRequestCodec;
import io.sluice.codecs.ledger.ReclaimCodec;
import io.sluice.codecs.ledger.ReclaimReplyCodec;
import io.sluice.codecs.ledger.ReleaseHoldCodec;
import io.sluice.codecs.ledger.SnapshotCodec;
import io.sluice.codecs.ledger.SnapshotRequestCodec;
import io.sluice.codecs.ledger.UnmarkMigratingCodec;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import java.time.Duration;

/** Requests to the ledger, and events of it. */
public final class LedgerAddresses {
    /** A runner opens a session for a VM's reservation. */
    public static final RequestAddress<OpenSession, OpenReply> OPEN = new RequestAddress<>(
            "ledger.open", new OpenSessionCodec(), new OpenReplyCodec(), Duration.ofSeconds(1), 10_000);

    /** A runner requests a permit, or reports a decrease. */
    public static final RequestAddress<PermitRequest, PermitReply> PERMIT = new RequestAddress<>(
            "ledger.permit", new PermitRequestCodec(), new PermitReplyCodec(), Duration.ofSeconds(1), 10_000);

    /** All pods and VMs of a node, from one full list. */
    public static final RequestAddress<LoadNode, LoadReply> LOAD_NODE = new RequestAddress<>(
            "ledger.load-node", new LoadNodeCodec(), new LoadReplyCodec(), Duration.ofSeconds(5), 1_000);

    /** Lowers a recovered or found reservation to the VM's observed use. */
    public static final RequestAddress<Reclaim, ReclaimReply> RECLAIM = new RequestAddress<>(
            "ledger.settle", new ReclaimCodec(), new ReclaimReplyCodec(), Duration.ofSeconds(1), 10_000);

    /** Holds room for a pod that is to come. */
    public static final RequestAddress<HoldRoom, HoldReply> HOLD = new RequestAddress<>(
            "ledger.hold", new HoldRoomCodec(), new HoldReplyCodec(), Duration.ofSeconds(1), 1_000);

    /** Releases a hold. */
    public static final RequestAddress<ReleaseHold, HoldReply> RELEASE = new RequestAddress<>(
            "ledger.release", new ReleaseHoldCodec(), new HoldReplyCodec(), Duration.ofSeconds(1), 1_000);

    /** Keeps room for a pod that waits, or ends that. */
    public static final RequestAddress<KeepRoom, KeepReply> KEEP = new RequestAddress<>(
            "ledger.keep-room", new KeepRoomCodec(), new KeepReplyCodec(), Duration.ofSeconds(1), 1_000);

    /** Marks the reservation of a VM that begins to migrate. */
    public static final RequestAddress<MarkMigrating, MarkReply> MARK = new RequestAddress<>(
            "ledger.mark-migrating", new MarkMigratingCodec(), new MarkReplyCodec(), Duration.ofSeconds(1), 1_000);

    /** Removes the mark of a migration that has ended or never began. */
    public static final RequestAddress<UnmarkMigrating, MarkReply> UNMARK = new RequestAddress<>(
            "ledger.unmark-migrating", new UnmarkMigratingCodec(), new MarkReplyCodec(), Duration.ofSeconds(1), 1_000);

    /** The current ledger state of one node or all nodes. */
    public static final RequestAddress<SnapshotRequest, Snapshot> SNAPSHOT = new RequestAddress<>(
            "ledger.snapshot", new SnapshotRequestCodec(), new SnapshotCodec(), Duration.ofSeconds(2), 100);

    /** What would let a node ledger grant a request; nothing changes. */
    public static final RequestAddress<GrantQuery, NearestGrant> NEAREST_GRANT = new RequestAddress<>(
            "ledger.nearest-grant", new GrantQueryCodec(), new NearestGrantCodec(), Duration.ofSeconds(1), 100);

    /** A node's sums changed; without its reservations, at most ten a second for one node. */
    public static final EventAddress<NodeLedgerView> NODE_CHANGED =
            new EventAddress<>("ledger.node-changed", new NodeLedgerViewCodec());

    /** The status of a VM with an agent that does not use sessions, so that no runner here reports it. */
    public static final EventAddress<RunnerStatus> VM_STATUS =
            new EventAddress<>("ledger.vm-status", new RunnerStatusCodec());

    private LedgerAddresses() {}
}
