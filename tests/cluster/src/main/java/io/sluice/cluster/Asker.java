package io.sluice.cluster;

import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * The strict agent of one VM: it lowers use before it says so, grows on a permit alone and only in time, repeats a
 * question that nobody answered with its number, and gives the next one a new number. Now and then a question goes to
 * two gateways at once. Of one thread.
 */
final class Asker {
    private static final int PROTOCOL = 7;
    private static final int ECHO_ONE_IN = 20;
    private static final Duration SUPERSEDED_PAUSE = Duration.ofSeconds(5);
    private static final Duration PAUSE_MIN = Duration.ofMillis(50);

    private final int vm;
    private final Agents agents;
    private final String runner;
    private int gateway;
    private long session;
    private long lastSession;
    private long seq;
    private Resources target = Fleet.UNIT;
    private long sentNanos;
    private Optional<Resources> permit = Optional.empty();
    private boolean heard;
    private boolean settling;
    private boolean told;

    Asker(int vm, Agents agents) {
        this.vm = vm;
        this.agents = agents;
        this.runner = "checker-" + vm;
        this.gateway = home();
    }

    long session() {
        return session;
    }

    long seq() {
        return seq;
    }

    /** Whether it has told what its VM uses since it was asked to. */
    boolean told() {
        return told;
    }

    /** From now on it says what its VM uses, once; or it goes on wishing, by the gateway that it began with. */
    void settle(boolean wanted) {
        settling = wanted;
        told = false;
        if (!wanted) {
            gateway = home();
        }
    }

    private int home() {
        return vm % agents.gateways().count();
    }

    /** Opens a session, or asks. */
    void turn() {
        if (settling && told) {
            agents.next(this, PAUSE_MIN);
        } else if (session == 0) {
            open();
        } else {
            ask();
        }
    }

    private void open() {
        var question = named(agents.truth().used(vm)).put("runner", runner);
        if (lastSession > 0) {
            question.put("lastSession", lastSession);
        }
        int asked = gateway;
        agents.gateways().ask(asked, question.encode()).onSuccess(reply -> {
            switch (reply) {
                case Reply.Permit opened -> opened(opened);
                case Reply.Refused refused -> failed(refused.reason(), refused.pause());
                case Reply.Silent silent -> failed(silent.reason(), Optional.empty());
            }
        });
    }

    private void opened(Reply.Permit answer) {
        agents.truth().note(vm, "opened session " + answer.session());
        if (answer.session() <= lastSession) {
            agents.truth().wrong(vm, "session " + answer.session() + " was opened after " + lastSession);
        }
        session = answer.session();
        lastSession = session;
        seq = 0;
        heard = false;
        turn();
    }

    private void ask() {
        var truth = agents.truth();
        boolean last = settling;
        // What it uses is the first that any agent tells a ledger that may not know it.
        target = settling || !heard ? truth.used(vm) : agents.wish();
        truth.lower(vm, target);
        seq++;
        permit = Optional.empty();
        sentNanos = System.nanoTime();
        var question =
                named(target).put("runner", runner).put("session", session).put("seq", seq);
        truth.note(
                vm,
                "asks %d/%d for %s of %s"
                        .formatted(
                                session,
                                seq,
                                Truth.text(target),
                                agents.gateways().name(gateway)));
        if (agents.gateways().count() > 1 && agents.random().nextInt(ECHO_ONE_IN) == 0) {
            echo(question.encode());
        }
        put(question.encode(), agents.gateways().count(), last);
    }

    private JsonObject named(Resources wanted) {
        return new JsonObject()
                .put("protoVersion", PROTOCOL)
                .put(
                        "pod",
                        new JsonObject()
                                .put("namespace", Fleet.NAMESPACE)
                                .put("name", agents.fleet().podName(vm)))
                .put("computeUnit", amount(Fleet.UNIT))
                .put("resources", amount(wanted))
                .put("lastPermit", amount(agents.truth().used(vm)))
                .putNull("metrics");
    }

    private static JsonObject amount(Resources amount) {
        return new JsonObject()
                .put("vCPUs", Quantities.cpuText(amount.milliCpu()))
                .put("mem", Quantities.memoryText(amount.memoryBytes()));
    }

    /** The same question at another gateway at the same time. */
    private void echo(String question) {
        long mine = seq;
        int other = (gateway + 1 + agents.random().nextInt(agents.gateways().count() - 1))
                % agents.gateways().count();
        agents.gateways().ask(other, question).onSuccess(reply -> {
            if (mine == seq && reply instanceof Reply.Permit answer) {
                take(answer, "in echo, by " + agents.gateways().name(other));
            }
        });
    }

    /** Asks one gateway after the other, until one answers. */
    private void put(String question, int tries, boolean last) {
        int asked = gateway;
        agents.gateways().ask(asked, question).onSuccess(reply -> {
            switch (reply) {
                case Reply.Permit answer -> {
                    take(answer, "by " + agents.gateways().name(asked));
                    finished(last);
                }
                case Reply.Refused refused -> refused(refused, last);
                case Reply.Silent silent -> {
                    nextGateway();
                    if (permit.isPresent()) {
                        finished(last);
                    } else if (tries > 1) {
                        agents.window().refused(silent.reason());
                        truthNote(silent.reason());
                        put(question, tries - 1, last);
                    } else {
                        failed(silent.reason(), Optional.empty());
                    }
                }
            }
        });
    }

    private void truthNote(String line) {
        agents.truth().note(vm, "heard of " + session + "/" + seq + ": " + line);
    }

    private void take(Reply.Permit answer, String how) {
        var truth = agents.truth();
        truthNote(Truth.text(answer.permit()) + " " + how);
        if (answer.session() != session) {
            truth.wrong(vm, "session " + session + " asked, and " + answer.session() + " was answered");
        }
        if (answer.validFor().isZero()) {
            truth.wrong(vm, "question " + session + "/" + seq + " was called overtaken, and it is the newest");
        }
        if (permit.isPresent() && !permit.get().equals(answer.permit())) {
            truth.wrong(
                    vm,
                    "one question was answered with " + Truth.text(permit.get()) + " and with "
                            + Truth.text(answer.permit()));
        }
        if (permit.isEmpty()) {
            heard = true;
            permit = Optional.of(answer.permit());
            if (System.nanoTime() - sentNanos <= answer.validFor().toNanos()) {
                truth.permitted(vm, target, answer.permit());
            }
            agents.window().good(vm);
        }
    }

    private void finished(boolean last) {
        told = last && settling;
        agents.next(this, agents.period());
    }

    private void refused(Reply.Refused refused, boolean last) {
        if (permit.isPresent()) {
            finished(last);
            return;
        }
        if (refused.status() == 409) {
            truthNote(refused.reason());
            agents.window().refused(refused.reason());
            session = 0;
            agents.next(this, refused.words().startsWith("superseded") ? SUPERSEDED_PAUSE : PAUSE_MIN);
            return;
        }
        failed(refused.reason(), refused.pause());
    }

    private void failed(String reason, Optional<Duration> pause) {
        truthNote(reason);
        agents.window().refused(reason);
        nextGateway();
        agents.next(this, pause.orElseGet(agents::period));
    }

    private void nextGateway() {
        gateway = (gateway + 1) % agents.gateways().count();
    }
}
