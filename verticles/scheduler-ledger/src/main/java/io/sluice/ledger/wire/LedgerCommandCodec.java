package io.sluice.ledger.wire;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.codecs.LoadNodeCodec;
import io.sluice.codecs.MarkMigratingCodec;
import io.sluice.codecs.NodeGoneCodec;
import io.sluice.codecs.NodeObservedCodec;
import io.sluice.codecs.OpenSessionCodec;
import io.sluice.codecs.PermitRequestCodec;
import io.sluice.codecs.PodGoneCodec;
import io.sluice.codecs.PodObservedCodec;
import io.sluice.codecs.ReclaimCodec;
import io.sluice.codecs.UnmarkMigratingCodec;
import io.sluice.codecs.VmObservedCodec;
import io.sluice.ledger.core.LedgerCommand;

/**
 * v2: tag u8, then for 1 (open), 3 (load), 4 (settle), 5 (see node), 6 (lose node), 7 (see pod), 8 (lose pod), 9 (see
 * VM), 14 (mark), 15 (unmark) the message that it carries; for 2 (ask) the message, startsMoving bool; for 10 (hold)
 * booking, ttl duration, attempt text; for 11 (bind) booking; for 12 (confirm) member text; for 13 (release) member,
 * attempt texts; for 16 (reweigh), 17 (tick) nothing. A booking: id, namespace, name, vmName texts, createdAtSeconds
 * i64, amounts resources, overcommit.
 */
public final class LedgerCommandCodec extends WireCodec<LedgerCommand<?>> {
    private static final int OPEN = 1;
    private static final int ASK = 2;
    private static final int LOAD = 3;
    private static final int SETTLE = 4;
    private static final int SEE_NODE = 5;
    private static final int LOSE_NODE = 6;
    private static final int SEE_POD = 7;
    private static final int LOSE_POD = 8;
    private static final int SEE_VM = 9;
    private static final int HOLD = 10;
    private static final int BIND = 11;
    private static final int CONFIRM = 12;
    private static final int RELEASE = 13;
    private static final int MARK = 14;
    private static final int UNMARK = 15;
    private static final int REWEIGH = 16;
    private static final int TICK = 17;

    private final OpenSessionCodec open = new OpenSessionCodec();
    private final PermitRequestCodec ask = new PermitRequestCodec();
    private final LoadNodeCodec load = new LoadNodeCodec();
    private final ReclaimCodec settle = new ReclaimCodec();
    private final NodeObservedCodec nodeSeen = new NodeObservedCodec();
    private final NodeGoneCodec nodeGone = new NodeGoneCodec();
    private final PodObservedCodec podSeen = new PodObservedCodec();
    private final PodGoneCodec podGone = new PodGoneCodec();
    private final VmObservedCodec vmSeen = new VmObservedCodec();
    private final MarkMigratingCodec mark = new MarkMigratingCodec();
    private final UnmarkMigratingCodec unmark = new UnmarkMigratingCodec();

    /** The codec. */
    public LedgerCommandCodec() {
        super("ledger.command", 2);
    }

    @Override
    protected void write(LedgerCommand<?> command, WireWriter out) {
        switch (command) {
            case LedgerCommand.Open(var question) -> out.u8(OPEN).message(open, question);
            case LedgerCommand.RequestPermit(var question, var startsMoving) ->
                out.u8(ASK).message(ask, question).bool(startsMoving);
            case LedgerCommand.Load(var listing) -> out.u8(LOAD).message(load, listing);
            case LedgerCommand.ReclaimReservation(var read) -> out.u8(SETTLE).message(settle, read);
            case LedgerCommand.SeeNode(var fact) -> out.u8(SEE_NODE).message(nodeSeen, fact);
            case LedgerCommand.LoseNode(var fact) -> out.u8(LOSE_NODE).message(nodeGone, fact);
            case LedgerCommand.SeePod(var fact) -> out.u8(SEE_POD).message(podSeen, fact);
            case LedgerCommand.LosePod(var fact) -> out.u8(LOSE_POD).message(podGone, fact);
            case LedgerCommand.SeeVm(var fact) -> out.u8(SEE_VM).message(vmSeen, fact);
            case LedgerCommand.Hold(var booking, var ttl, var attempt) -> {
                LedgerParts.write(booking, out.u8(HOLD));
                out.duration(ttl).text(attempt);
            }
            case LedgerCommand.Bind(var booking) -> LedgerParts.write(booking, out.u8(BIND));
            case LedgerCommand.Confirm(var member) -> out.u8(CONFIRM).text(member);
            case LedgerCommand.Release(var member, var attempt) ->
                out.u8(RELEASE).text(member).text(attempt);
            case LedgerCommand.Mark(var question) -> out.u8(MARK).message(mark, question);
            case LedgerCommand.Unmark(var question) -> out.u8(UNMARK).message(unmark, question);
            case LedgerCommand.Reweigh() -> out.u8(REWEIGH);
            case LedgerCommand.Tick() -> out.u8(TICK);
        }
    }

    @Override
    protected LedgerCommand<?> read(int version, WireReader in) {
        int tag = in.u8();
        return switch (tag) {
            case OPEN -> new LedgerCommand.Open(in.message(open));
            case ASK -> new LedgerCommand.RequestPermit(in.message(ask), in.bool());
            case LOAD -> new LedgerCommand.Load(in.message(load));
            case SETTLE -> new LedgerCommand.ReclaimReservation(in.message(settle));
            case SEE_NODE -> new LedgerCommand.SeeNode(in.message(nodeSeen));
            case LOSE_NODE -> new LedgerCommand.LoseNode(in.message(nodeGone));
            case SEE_POD -> new LedgerCommand.SeePod(in.message(podSeen));
            case LOSE_POD -> new LedgerCommand.LosePod(in.message(podGone));
            case SEE_VM -> new LedgerCommand.SeeVm(in.message(vmSeen));
            case HOLD -> new LedgerCommand.Hold(LedgerParts.booking(in), in.duration(), in.text());
            case BIND -> new LedgerCommand.Bind(LedgerParts.booking(in));
            case CONFIRM -> new LedgerCommand.Confirm(in.text());
            case RELEASE -> new LedgerCommand.Release(in.text(), in.text());
            case MARK -> new LedgerCommand.Mark(in.message(mark));
            case UNMARK -> new LedgerCommand.Unmark(in.message(unmark));
            case REWEIGH -> new LedgerCommand.Reweigh();
            case TICK -> new LedgerCommand.Tick();
            default -> throw in.unknownTag(tag);
        };
    }
}
