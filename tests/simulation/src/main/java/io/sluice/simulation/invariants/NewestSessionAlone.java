package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.HashMap;
import java.util.Map;

/**
 * Only the runner that opened last is heard, by its newest question: an older one changes nothing, and the same one is
 * answered as it was, cut to what is booked now. Keeps its own record of who opened and what was taken.
 */
public final class NewestSessionAlone implements StepInvariant {
    private final Map<String, Session> talks = new HashMap<>();

    private static final class Session {
        private long session;
        private String runner = "";
        private PermitRequest question;
        private PermitReply.Ruled answer;
    }

    @Override
    public String name() {
        return "only the newest is heard";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        if (step.command() instanceof LedgerCommand.Open(var question)
                && step.reply() instanceof OpenReply.Opened(var session, var _, var _)) {
            var talk = talkOf(step, question.member());
            if (session < talk.session || session == talk.session && !talk.runner.equals(question.runner())) {
                throw broken("session " + session + " was opened after " + talk.session + " of " + talk.runner + ": "
                        + told(step));
            }
            if (session > talk.session) {
                talk.session = session;
                talk.runner = question.runner();
                talk.question = null;
            }
        } else if (step.command() instanceof LedgerCommand.RequestPermit(var question, var _)) {
            asked(step, question);
        }
    }

    /** Members that were lost and loaded are spoken for anew. */
    private Session talkOf(Happening.Commanded step, String id) {
        var talk = talks.computeIfAbsent(id, fresh -> new Session());
        long known = step.before()
                .members()
                .find(id)
                .map(member -> member.talk().session())
                .orElse(0L);
        if (known == 0) {
            talk = new Session();
            talks.put(id, talk);
        }
        return talk;
    }

    private void asked(Happening.Commanded step, PermitRequest question) {
        var talk = talkOf(step, question.member());
        boolean ruled = step.reply() instanceof PermitReply.Ruled;
        boolean old = question.session() != talk.session
                || !question.runner().equals(talk.runner)
                || talk.question != null && question.seq() < talk.question.seq();
        if (old && (ruled || step.before() != step.after())) {
            throw broken("an older question was taken, of " + question.runner() + " in " + question.session() + "/"
                    + question.seq() + " where " + talk.runner + " speaks in " + talk.session + ": " + told(step));
        }
        boolean again = !old && talk.question != null && question.seq() == talk.question.seq();
        if (again && (step.before() != step.after() || !answeredAgain(step, question, talk))) {
            throw broken("a repeat was not answered as before, with " + talk.answer + ": " + told(step));
        }
        if (!old && !again && step.reply() instanceof PermitReply.Ruled answer) {
            talk.question = question;
            talk.answer = answer;
        }
    }

    /** As before, but for what is not reserved any more, or what the node has no room for any more. */
    private static boolean answeredAgain(Happening.Commanded step, PermitRequest question, Session talk) {
        var booked = step.after().members().find(question.member());
        return !question.equals(talk.question)
                || booked.isEmpty()
                || !booked.get().seen().vm().isPresent()
                || step.reply() instanceof PermitReply.Ruled ruled
                        && isAsBefore(
                                step,
                                ruled,
                                talk.answer.permit().min(booked.get().amounts().told()));
    }

    private static boolean isAsBefore(Happening.Commanded step, PermitReply.Ruled ruled, Resources before) {
        var reserved = step.after().sums().reserved();
        var total = step.after().size().total();
        for (var kind : ResourceKind.values()) {
            boolean over = reserved.of(kind) > total.of(kind);
            long permit = ruled.permit().of(kind);
            if (over ? permit > before.of(kind) : permit != before.of(kind)) {
                return false;
            }
        }
        return true;
    }
}
