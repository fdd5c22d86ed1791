package io.sluice.ledger.wire;

import io.sluice.codecs.cluster.NodeGoneCodec;
import io.sluice.codecs.cluster.NodeObservedCodec;
import io.sluice.codecs.cluster.PodGoneCodec;
import io.sluice.codecs.cluster.PodObservedCodec;
import io.sluice.codecs.cluster.VmObservedCodec;
import io.sluice.codecs.ledger.KeepRoomCodec;
import io.sluice.codecs.ledger.LoadNodeCodec;
import io.sluice.codecs.ledger.MarkMigratingCodec;
import io.sluice.codecs.ledger.OpenSessionCodec;
import io.sluice.codecs.ledger.PermitRequestCodec;
import io.sluice.codecs.ledger.ReclaimCodec;
import io.sluice.codecs.ledger.UnmarkMigratingCodec;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;
import java.util.Optional;

/**
 * The codec of commands. v6: tag u8, then for 1 (open), 3 (load), 4 (reclaim), 5 (node observed), 6 (node gone), 7 (pod
 * observed), 8 (pod gone), 9 (VM observed), 14 (mark), 15 (unmark), 18 (keep) the message that the command carries; for
 * 2 (permit request) the message, startsMoving bool; for 10 (hold) reservation, ttl duration, attempt text, priority
 * i32, knownState instant? (v6); for 11 (bind) reservation; for 12 (confirm) pod text; for 13 (release) pod, attempt
 * texts; for 16 (reweigh), 17 (tick) nothing. A reservation: id, namespace, name, vmName texts, createdAtSeconds i64,
 * amounts resources, overcommit, fixed amounts, requests for GPUs.
 */
public final class LedgerCommandCodec extends WireCodec<LedgerCommand<?>> {
    private static final int OPEN = 1;
    private static final int REQUEST_PERMIT = 2;
    private static final int LOAD = 3;
    private static final int RECLAIM = 4;
    private static final int OBSERVE_NODE = 5;
    private static final int LOSE_NODE = 6;
    private static final int OBSERVE_POD = 7;
    private static final int LOSE_POD = 8;
    private static final int OBSERVE_VM = 9;
    private static final int HOLD = 10;
    private static final int BIND = 11;
    private static final int CONFIRM = 12;
    private static final int RELEASE = 13;
    private static final int MARK = 14;
    private static final int UNMARK = 15;
    private static final int REWEIGH = 16;
    private static final int TICK = 17;
    private static final int KEEP = 18;

    private final OpenSessionCodec open = new OpenSessionCodec();
    private final PermitRequestCodec requestPermit = new PermitRequestCodec();
    private final LoadNodeCodec load = new LoadNodeCodec();
    private final ReclaimCodec reclaim = new ReclaimCodec();
    private final NodeObservedCodec nodeObserved = new NodeObservedCodec();
    private final NodeGoneCodec nodeGone = new NodeGoneCodec();
    private final PodObservedCodec podObserved = new PodObservedCodec();
    private final PodGoneCodec podGone = new PodGoneCodec();
    private final VmObservedCodec vmObserved = new VmObservedCodec();
    private final MarkMigratingCodec mark = new MarkMigratingCodec();
    private final UnmarkMigratingCodec unmark = new UnmarkMigratingCodec();
    private final KeepRoomCodec keep = new KeepRoomCodec();

    /** The codec. */
    public LedgerCommandCodec() {
        super("ledger.command", 5, 6);
    }

    @Override
    protected void write(LedgerCommand<?> command, WireWriter out) {
        switch (command) {
            case LedgerCommand.Open(var request) -> out.u8(OPEN).message(open, request);
            case LedgerCommand.RequestPermit(var request, var startsMoving) ->
                out.u8(REQUEST_PERMIT).message(requestPermit, request).bool(startsMoving);
            case LedgerCommand.Load(var fullList) -> out.u8(LOAD).message(load, fullList);
            case LedgerCommand.ReclaimReservation(var read) -> out.u8(RECLAIM).message(reclaim, read);
            case LedgerCommand.ObserveNode(var observation) ->
                out.u8(OBSERVE_NODE).message(nodeObserved, observation);
            case LedgerCommand.LoseNode(var observation) -> out.u8(LOSE_NODE).message(nodeGone, observation);
            case LedgerCommand.ObservePod(var observation) ->
                out.u8(OBSERVE_POD).message(podObserved, observation);
            case LedgerCommand.LosePod(var observation) -> out.u8(LOSE_POD).message(podGone, observation);
            case LedgerCommand.ObserveVm(var observation) -> out.u8(OBSERVE_VM).message(vmObserved, observation);
            case LedgerCommand.Hold(var reservation, var ttl, var attempt, var priority, var knownState) -> {
                LedgerParts.write(reservation, out.u8(HOLD));
                out.duration(ttl).text(attempt).i32(priority).optional(knownState, WireWriter::instant);
            }
            case LedgerCommand.Bind(var reservation) -> LedgerParts.write(reservation, out.u8(BIND));
            case LedgerCommand.Confirm(var pod) -> out.u8(CONFIRM).text(pod);
            case LedgerCommand.Release(var pod, var attempt) ->
                out.u8(RELEASE).text(pod).text(attempt);
            case LedgerCommand.Keep(var request) -> out.u8(KEEP).message(keep, request);
            case LedgerCommand.Mark(var request) -> out.u8(MARK).message(mark, request);
            case LedgerCommand.Unmark(var request) -> out.u8(UNMARK).message(unmark, request);
            case LedgerCommand.Reweigh() -> out.u8(REWEIGH);
            case LedgerCommand.Tick() -> out.u8(TICK);
        }
    }

    @Override
    protected LedgerCommand<?> read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case OPEN -> new LedgerCommand.Open(in.message(open));
            case REQUEST_PERMIT -> new LedgerCommand.RequestPermit(in.message(requestPermit), in.bool());
            case LOAD -> new LedgerCommand.Load(in.message(load));
            case RECLAIM -> new LedgerCommand.ReclaimReservation(in.message(reclaim));
            case OBSERVE_NODE -> new LedgerCommand.ObserveNode(in.message(nodeObserved));
            case LOSE_NODE -> new LedgerCommand.LoseNode(in.message(nodeGone));
            case OBSERVE_POD -> new LedgerCommand.ObservePod(in.message(podObserved));
            case LOSE_POD -> new LedgerCommand.LosePod(in.message(podGone));
            case OBSERVE_VM -> new LedgerCommand.ObserveVm(in.message(vmObserved));
            case HOLD ->
                new LedgerCommand.Hold(
                        LedgerParts.reservation(in),
                        in.duration(),
                        in.text(),
                        in.i32(),
                        version < 6 ? Optional.empty() : in.optional(WireReader::instant));
            case BIND -> new LedgerCommand.Bind(LedgerParts.reservation(in));
            case CONFIRM -> new LedgerCommand.Confirm(in.text());
            case RELEASE -> new LedgerCommand.Release(in.text(), in.text());
            case KEEP -> new LedgerCommand.Keep(in.message(keep));
            case MARK -> new LedgerCommand.Mark(in.message(mark));
            case UNMARK -> new LedgerCommand.Unmark(in.message(unmark));
            case REWEIGH -> new LedgerCommand.Reweigh();
            case TICK -> new LedgerCommand.Tick();
            default -> throw in.unknownTag(tag);
        };
    }
}
