package io.sluice.ledger.core;

import io.sluice.messages.ledger.NotReadyCause;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.RefusalCause;
import java.time.Duration;
import java.util.Optional;

/**
 * Who may speak for a member: one runner at a time, the one that opened last.
 *
 * <p>Sessions are numbered above the version of the newest listing, not from 1: an old {@code open} that books which
 * were lost meanwhile hear late would else make their session 1 again, and the questions asked in it would count.
 */
final class Sessions {
    /** What is not ready is asked again after this. */
    static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private Sessions() {}

    static CommandOutcome<OpenReply> open(NodeState state, OpenSession question) {
        var notReady = state.notReady();
        if (notReady.isPresent()) {
            return CommandOutcome.of(state, new OpenReply.NotReady(notReady.get(), RETRY_AFTER));
        }
        var member = state.members().find(question.member());
        if (member.isEmpty()) {
            return CommandOutcome.of(state, new OpenReply.Refused(RefusalCause.MEMBER_UNKNOWN));
        }
        if (!member.get().who().runsVm()) {
            return CommandOutcome.of(state, new OpenReply.Refused(RefusalCause.NOT_A_VM));
        }
        if (member.get().seen().vm().isEmpty()) {
            return CommandOutcome.of(state, new OpenReply.NotReady(NotReadyCause.NODE_INCOMPLETE, RETRY_AFTER));
        }
        return open(state, member.get(), question);
    }

    private static CommandOutcome<OpenReply> open(NodeState state, Reservation member, OpenSession question) {
        var talk = member.talk();
        boolean current =
                talk.isOpen() && talk.runner().equals(question.runner()) && question.lastSession() <= talk.session();
        if (current) {
            return CommandOutcome.of(state, opened(member));
        }
        long known = Math.max(talk.session(), question.lastSession());
        long session = Math.addExact(Math.max(known, state.listing().version()), 1);
        var spokenFor = member.with(talk.opened(session, question.runner()));
        return CommandOutcome.of(state.withTalk(spokenFor), opened(spokenFor));
    }

    /** A buffer is nobody's permit: opening grants nothing. */
    private static OpenReply opened(Reservation member) {
        return new OpenReply.Opened(
                member.talk().session(),
                member.amounts().told(),
                member.standing().contact() == Contact.RECOVERED);
    }

    /** What is answered to a question that is not the next one of the current session; empty when it is. */
    static Optional<PermitReply> stale(NodeState state, Reservation member, PermitRequest question) {
        var talk = member.talk();
        if (question.session() < talk.session()) {
            return Optional.of(new PermitReply.Superseded(talk.session(), talk.runner()));
        }
        if (question.session() > talk.session() || !talk.isOpen()) {
            return Optional.of(new PermitReply.OpenAgain(talk.session()));
        }
        if (!question.runner().isEmpty() && !question.runner().equals(talk.runner())) {
            return Optional.of(new PermitReply.Superseded(talk.session(), talk.runner()));
        }
        if (question.seq() > talk.seq()) {
            return Optional.empty();
        }
        if (question.seq() < talk.seq()) {
            return Optional.of(new PermitReply.Late(talk.seq(), member.amounts().told()));
        }
        return talk.last()
                .map(taken -> taken.question().equals(question)
                        ? repeated(state, member, taken)
                        : new PermitReply.SeqReused(question.seq()));
    }

    /**
     * The stored answer, cut to what is reserved now, and to what the VM is known to have where the node has no room
     * any more: nobody knows whether the answer arrived before, so it must not allow growth that would be denied now.
     */
    private static PermitReply repeated(NodeState state, Reservation member, AgentSession.Taken taken) {
        var answer = taken.answer();
        var told = member.amounts().told();
        var known = GrowthBaseline.known(member, taken.question());
        var most = KindArithmetic.each(kind -> (state.isOver(kind) ? told.min(known) : told).of(kind));
        return new PermitReply.Ruled(
                answer.session(),
                answer.seq(),
                answer.permit().min(most),
                answer.validFor(),
                member.standing().migrating(),
                answer.cpu(),
                answer.memory());
    }
}
