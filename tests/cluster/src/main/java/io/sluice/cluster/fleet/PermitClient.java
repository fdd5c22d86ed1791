package io.sluice.cluster.fleet;

import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * The agent of one VM. It lowers use before it reports less, and grows only by a permit that has not lapsed. It repeats
 * a request without a reply with the same number, and gives the next request a new number. Now and then it sends a
 * request to two gateways at once. One of the reference's kind has neither sessions nor numbers and repeats nothing.
 * Not thread-safe.
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
    private boolean received;
    private boolean settling;
    private boolean reported;

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

    /**
     * Its VM runs in another pod from now on; permits for that can be requested once the pod is {@linkplain #arrived()
     * observed}.
     */
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

    /** Whether it has reported what its VM uses since that was requested. */
    boolean reported() {
        return reported;
    }

    /** From now on it reports what its VM uses, once; or it requests sizes again, at its first gateway. */
    void settle(boolean wanted) {
        settling = wanted;
        reported = false;
        // For some seconds after a gateway had a session for the VM, the ledger refuses requests without a session.
        if (!wanted && kind != AgentKind.REFERENCE) {
            gateway = home();
        }
    }

    private int home() {
        return vm % agents.gateways().count();
    }

    /** Opens a session, or requests a permit. */
    void turn() {
        if (moving || settling && reported) {
            agents.next(this, PAUSE_MIN);
        } else if (session == 0 && kind != AgentKind.REFERENCE) {
            open();
        } else {
            request();
        }
    }

    private void open() {
        received = false;
        var request = named(agents.truth().used(vm)).put("runner", runner);
        if (lastSession > 0) {
            request.put("lastSession", lastSession);
        }
        int requested = gateway;
        var requesting = pod;
        agents.gateways().request(requested, request.encode()).onSuccess(reply -> {
            if (left(requesting)) {
                return;
            }
            switch (reply) {
                case Reply.Permit opened -> opened(opened);
                case Reply.Refused refused -> failed(refused.reason(), refused.pause());
                case Reply.Silent silent -> failed(silent.reason(), Optional.empty());
            }
        });
    }

    /** Whether its VM has left that pod, so that replies for that pod are dropped. */
    private boolean left(String requesting) {
        boolean gone = !requesting.equals(pod);
        if (gone) {
            agents.next(this, PAUSE_MIN);
        }
        return gone;
    }

    private void opened(Reply.Permit answer) {
        agents.truth().record(vm, "opened session " + answer.session());
        if (answer.session() <= lastSession) {
            agents.truth().wrong(vm, "session " + answer.session() + " was opened after " + lastSession);
        }
        session = answer.session();
        lastSession = session;
        seq = 0;
        turn();
    }

    private void request() {
        var truth = agents.truth();
        boolean last = settling;
        // The first request of any agent to a ledger that may not have its VM reports what the VM uses.
        boolean first = !received && kind != AgentKind.REFERENCE;
        target = settling || first ? truth.used(vm) : agents.desired(vm);
        truth.lower(vm, target);
        usedBefore = truth.used(vm);
        seq++;
        permit = Optional.empty();
        sentNanos = System.nanoTime();
        var request = named(target);
        if (kind != AgentKind.REFERENCE) {
            var used = amount(truth.used(vm));
            request.put("runner", runner)
                    .put("session", session)
                    .put("seq", seq)
                    .put("inUse", used)
                    .put("exposure", used);
        }
        truth.record(
                vm,
                "requests %d/%d for %s of %s"
                        .formatted(
                                session,
                                seq,
                                Truth.text(target),
                                agents.gateways().name(gateway)));
        boolean repeats = kind != AgentKind.REFERENCE;
        if (repeats && agents.gateways().count() > 1 && agents.random().nextInt(ECHO_ONE_IN) == 0) {
            echo(request.encode());
        }
        put(request.encode(), repeats ? agents.gateways().count() : 1, last);
    }

    private JsonObject named(Resources wanted) {
        var request = new JsonObject()
                .put("protoVersion", PROTOCOL)
                .put("pod", new JsonObject().put("namespace", Fleet.NAMESPACE).put("name", pod))
                .put("computeUnit", amount(Fleet.UNIT))
                .put("resources", amount(wanted))
                .putNull("metrics");
        return kind == AgentKind.NO_LAST_PERMIT && !received
                ? request
                : request.put("lastPermit", amount(agents.truth().used(vm)));
    }

    private static JsonObject amount(Resources amount) {
        return new JsonObject()
                .put("vCPUs", Quantities.cpuText(amount.milliCpu()))
                .put("mem", Quantities.memoryText(amount.memoryBytes()));
    }

    /** Sends the same request to another gateway at the same time. */
    private void echo(String request) {
        long mine = seq;
        var requesting = pod;
        int other = (gateway + 1 + agents.random().nextInt(agents.gateways().count() - 1))
                % agents.gateways().count();
        agents.gateways().request(other, request).onSuccess(reply -> {
            if (requesting.equals(pod) && mine == seq && reply instanceof Reply.Permit answer) {
                take(answer, "repeated, by " + agents.gateways().name(other));
            }
        });
    }

    /** Sends the request to one gateway after the other, until one replies. */
    private void put(String request, int tries, boolean last) {
        int requested = gateway;
        var requesting = pod;
        agents.gateways().request(requested, request).onSuccess(reply -> {
            if (left(requesting)) {
                return;
            }
            switch (reply) {
                case Reply.Permit answer -> {
                    take(answer, "by " + agents.gateways().name(requested));
                    finished(last);
                }
                case Reply.Refused refused -> refused(refused, last);
                case Reply.Silent silent -> {
                    nextGateway();
                    if (permit.isPresent()) {
                        finished(last);
                    } else if (tries > 1) {
                        agents.window().refused(silent.reason());
                        truthRecord(silent.reason());
                        put(request, tries - 1, last);
                    } else {
                        failed(silent.reason(), Optional.empty());
                    }
                }
            }
        });
    }

    private void truthRecord(String line) {
        agents.truth().record(vm, "replied " + session + "/" + seq + ": " + line);
    }

    private void take(Reply.Permit answer, String how) {
        var truth = agents.truth();
        truthRecord(Truth.text(answer.permit()) + " " + how);
        if (kind != AgentKind.REFERENCE) {
            checkSession(answer);
        }
        if (permit.isPresent()) {
            // A node that is over-reserved by now repeats less than its first reply, and the repetition may arrive
            // first.
            truth.checkFair(vm, usedBefore, target, answer.permit());
        } else {
            received = true;
            permit = Optional.of(answer.permit());
            // The reference's agent does not observe the end of a permit.
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
            truth.wrong(vm, "session " + session + " requested, and " + answer.session() + " had the reply");
        }
        if (answer.validFor().isZero()) {
            truth.wrong(vm, "question " + session + "/" + seq + " was reported as superseded, and it is the newest");
        }
    }

    private void finished(boolean last) {
        reported = last && settling;
        agents.next(this, agents.period());
    }

    private void refused(Reply.Refused refused, boolean last) {
        if (permit.isPresent()) {
            finished(last);
            return;
        }
        if (refused.status() == 409 && kind != AgentKind.REFERENCE) {
            truthRecord(refused.reason());
            agents.window().refused(refused.reason());
            session = 0;
            agents.next(this, refused.words().startsWith("superseded") ? SUPERSEDED_PAUSE : PAUSE_MIN);
            return;
        }
        failed(refused.reason(), refused.status() == 409 ? Optional.empty() : refused.pause());
    }

    private void failed(String reason, Optional<Duration> pause) {
        truthRecord(reason);
        agents.window().refused(reason);
        nextGateway();
        agents.next(this, pause.orElseGet(agents::period));
    }

    private void nextGateway() {
        gateway = (gateway + 1) % agents.gateways().count();
    }
}
