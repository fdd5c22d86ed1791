package io.sluice.cluster;

import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * The agent of one VM: it lowers use before it says so, grows on a permit alone and only in time, repeats a question
 * that nobody answered with its number, and gives the next one a new number. Now and then a question goes to two
 * gateways at once. One of the reference's kind knows neither sessions nor numbers and repeats nothing. Of one thread.
 */
final class PermitClient {
    private static final int PROTOCOL = 7;
    private static final int ECHO_ONE_IN = 20;
    private static final Duration SUPERSEDED_PAUSE = Duration.ofSeconds(5);
    private static final Duration PAUSE_MIN = Duration.ofMillis(50);

    private final int vm;
    private final Agents agents;
    private final String runner;
    private final AgentKind kind;
    private String pod;
    private boolean moving;
    private int gateway;
    private long session;
    private long lastSession;
    private long seq;
    private Resources target = Fleet.UNIT;
    private Resources usedBefore = Fleet.UNIT;
    private long sentNanos;
    private Optional<Resources> permit = Optional.empty();
    private boolean heard;
    private boolean settling;
    private boolean told;

    PermitClient(int vm, Agents agents) {
        this.vm = vm;
        this.agents = agents;
        this.runner = "checker-" + vm;
        this.kind = AgentKind.of(vm);
        this.pod = agents.fleet().podName(vm);
        this.gateway = home();
    }

    long session() {
        return session;
    }

    long seq() {
        return seq;
    }

    AgentKind kind() {
        return kind;
    }

    /** Its VM runs in another pod from now on, which it may ask for once that is {@linkplain #arrived() known}. */
    void moved(String to) {
        pod = to;
        moving = true;
        session = 0;
        lastSession = 0;
        agents.window().absent(vm);
    }

    void arrived() {
        moving = false;
    }

    /** Whether it has told what its VM uses since it was asked to. */
    boolean told() {
        return told;
    }

    /** From now on it says what its VM uses, once; or it goes on wishing, by the gateway that it began with. */
    void settle(boolean wanted) {
        settling = wanted;
        told = false;
        // A gateway that spoke for it before another did lets nobody without a session speak for some seconds.
        if (!wanted && kind != AgentKind.REFERENCE) {
            gateway = home();
        }
    }

    private int home() {
        return vm % agents.gateways().count();
    }

    /** Opens a session, or asks. */
    void turn() {
        if (moving || settling && told) {
            agents.next(this, PAUSE_MIN);
        } else if (session == 0 && kind != AgentKind.REFERENCE) {
            open();
        } else {
            ask();
        }
    }

    private void open() {
        heard = false;
        var question = named(agents.truth().used(vm)).put("runner", runner);
        if (lastSession > 0) {
            question.put("lastSession", lastSession);
        }
        int asked = gateway;
        var asking = pod;
        agents.gateways().ask(asked, question.encode()).onSuccess(reply -> {
            if (left(asking)) {
                return;
            }
            switch (reply) {
                case Reply.Permit opened -> opened(opened);
                case Reply.Refused refused -> failed(refused.reason(), refused.pause());
                case Reply.Silent silent -> failed(silent.reason(), Optional.empty());
            }
        });
    }

    /** Whether its VM has left that pod, so that what is answered for it is nobody's any more. */
    private boolean left(String asking) {
        boolean gone = !asking.equals(pod);
        if (gone) {
            agents.next(this, PAUSE_MIN);
        }
        return gone;
    }

    private void opened(Reply.Permit answer) {
        agents.truth().note(vm, "opened session " + answer.session());
        if (answer.session() <= lastSession) {
            agents.truth().wrong(vm, "session " + answer.session() + " was opened after " + lastSession);
        }
        session = answer.session();
        lastSession = session;
        seq = 0;
        turn();
    }

    private void ask() {
        var truth = agents.truth();
        boolean last = settling;
        // What it uses is the first that any agent tells a ledger that may not know it.
        boolean first = !heard && kind != AgentKind.REFERENCE;
        target = settling || first ? truth.used(vm) : agents.wish(vm);
        truth.lower(vm, target);
        usedBefore = truth.used(vm);
        seq++;
        permit = Optional.empty();
        sentNanos = System.nanoTime();
        var question = named(target);
        if (kind != AgentKind.REFERENCE) {
            var used = amount(truth.used(vm));
            question.put("runner", runner)
                    .put("session", session)
                    .put("seq", seq)
                    .put("inUse", used)
                    .put("exposure", used);
        }
        truth.note(
                vm,
                "asks %d/%d for %s of %s"
                        .formatted(
                                session,
                                seq,
                                Truth.text(target),
                                agents.gateways().name(gateway)));
        boolean repeats = kind != AgentKind.REFERENCE;
        if (repeats && agents.gateways().count() > 1 && agents.random().nextInt(ECHO_ONE_IN) == 0) {
            echo(question.encode());
        }
        put(question.encode(), repeats ? agents.gateways().count() : 1, last);
    }

    private JsonObject named(Resources wanted) {
        var question = new JsonObject()
                .put("protoVersion", PROTOCOL)
                .put("pod", new JsonObject().put("namespace", Fleet.NAMESPACE).put("name", pod))
                .put("computeUnit", amount(Fleet.UNIT))
                .put("resources", amount(wanted))
                .putNull("metrics");
        return kind == AgentKind.NO_LAST_PERMIT && !heard
                ? question
                : question.put("lastPermit", amount(agents.truth().used(vm)));
    }

    private static JsonObject amount(Resources amount) {
        return new JsonObject()
                .put("vCPUs", Quantities.cpuText(amount.milliCpu()))
                .put("mem", Quantities.memoryText(amount.memoryBytes()));
    }

    /** The same question at another gateway at the same time. */
    private void echo(String question) {
        long mine = seq;
        var asking = pod;
        int other = (gateway + 1 + agents.random().nextInt(agents.gateways().count() - 1))
                % agents.gateways().count();
        agents.gateways().ask(other, question).onSuccess(reply -> {
            if (asking.equals(pod) && mine == seq && reply instanceof Reply.Permit answer) {
                take(answer, "in echo, by " + agents.gateways().name(other));
            }
        });
    }

    /** Asks one gateway after the other, until one answers. */
    private void put(String question, int tries, boolean last) {
        int asked = gateway;
        var asking = pod;
        agents.gateways().ask(asked, question).onSuccess(reply -> {
            if (left(asking)) {
                return;
            }
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
        if (kind != AgentKind.REFERENCE) {
            checkSession(answer);
        }
        if (permit.isPresent()) {
            // A node that is over by now repeats less than it answered first, and the repeat may come first.
            truth.checkFair(vm, usedBefore, target, answer.permit());
        } else {
            heard = true;
            permit = Optional.of(answer.permit());
            // The reference's agent knows of no end of a permit.
            boolean inTime = kind == AgentKind.REFERENCE
                    || System.nanoTime() - sentNanos <= answer.validFor().toNanos();
            if (inTime) {
                truth.permitted(vm, target, answer.permit(), sentNanos);
            }
            agents.window().good(vm);
        }
    }

    private void checkSession(Reply.Permit answer) {
        var truth = agents.truth();
        if (answer.session() != session) {
            truth.wrong(vm, "session " + session + " asked, and " + answer.session() + " was answered");
        }
        if (answer.validFor().isZero()) {
            truth.wrong(vm, "question " + session + "/" + seq + " was called overtaken, and it is the newest");
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
        if (refused.status() == 409 && kind != AgentKind.REFERENCE) {
            truthNote(refused.reason());
            agents.window().refused(refused.reason());
            session = 0;
            agents.next(this, refused.words().startsWith("superseded") ? SUPERSEDED_PAUSE : PAUSE_MIN);
            return;
        }
        failed(refused.reason(), refused.status() == 409 ? Optional.empty() : refused.pause());
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
