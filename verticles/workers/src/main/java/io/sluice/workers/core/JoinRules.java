package io.sluice.workers.core;

import io.sluice.workers.core.FleetAction.Cause;
import io.sluice.workers.core.FleetAction.WorkerEvent;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who may join, by which token, and which key speaks for which worker from then on. */
final class JoinRules {
    private static final int TOKENS_MAX = 10_000;
    private static final String NO_TOKEN = "the token is unknown, used, or has ended, or is not for this worker";

    private final WorkerTables state;
    private final WorkerRules workers;
    private final int workersMax;
    private final Map<String, JoinToken> tokens = new HashMap<>();

    JoinRules(WorkerTables state, WorkerRules workers, int workersMax) {
        this.state = state;
        this.workers = workers;
        this.workersMax = workersMax;
    }

    void restore(Collection<JoinToken> kept) {
        kept.forEach(token -> tokens.put(token.id(), token));
    }

    Outcome issue(JoinToken token) {
        if (tokens.size() >= TOKENS_MAX) {
            return Outcome.refused(Outcome.Code.TOO_MANY, "there are " + TOKENS_MAX + " tokens");
        }
        keep(token);
        return Outcome.DONE;
    }

    private void keep(JoinToken token) {
        tokens.put(token.id(), token);
        state.keep(token);
    }

    boolean has(String id, String hash, Instant now) {
        return found(id, hash, now).isPresent();
    }

    private Optional<JoinToken> found(String id, String hash, Instant now) {
        return Optional.ofNullable(tokens.get(id))
                .filter(token -> token.hash().equals(hash) && now.isBefore(token.endsAt()));
    }

    private Optional<JoinToken> valid(String id, String hash, String worker, Instant now) {
        return found(id, hash, now).filter(token -> matches(token.pattern(), worker));
    }

    /** A name that is a pattern itself is only for a token of the same pattern. */
    private static boolean matches(String pattern, String worker) {
        return pattern.endsWith("*") && !worker.endsWith("*")
                ? WorkerTables.covers(pattern, worker)
                : worker.equals(pattern);
    }

    /** A machine wants to be this worker, with a key of this fingerprint. The same request may be repeated. */
    Outcome enroll(String tokenId, String hash, String worker, String key, Instant until, Instant now) {
        var found = valid(tokenId, hash, worker, now);
        if (found.isEmpty()) {
            return Outcome.refused(Outcome.Code.UNAUTHENTICATED, NO_TOKEN);
        }
        var token = found.get();
        boolean repeated = token.usedBy().contains(worker + " " + key);
        if (!repeated && token.usesLeft() == 0) {
            return Outcome.refused(Outcome.Code.UNAUTHENTICATED, NO_TOKEN);
        }
        if (state.banned(worker)) {
            return Outcome.refused(Outcome.Code.PERMISSION_DENIED, "worker " + worker + " is banned");
        }
        var known = state.worker(worker);
        // The name may have been given to another machine since.
        if (repeated
                && !worker.endsWith("*")
                && known.filter(before -> before.credential().key().equals(key)).isEmpty()) {
            return Outcome.refused(Outcome.Code.UNAUTHENTICATED, NO_TOKEN);
        }
        // A token for many does not take over the name of another machine.
        boolean own = token.pattern().equals(worker)
                || known.filter(before -> before.credential().refuses(key)
                                || before.credential().key().isEmpty())
                        .isEmpty();
        if (!own) {
            return Outcome.refused(
                    Outcome.Code.ALREADY_EXISTS,
                    "worker " + worker + " exists; to give its name to another machine needs a token for it alone");
        }
        if (known.isEmpty() && state.workers().size() >= workersMax) {
            return Outcome.refused(Outcome.Code.TOO_MANY, "there are " + workersMax + " workers");
        }
        if (!repeated) {
            keep(token.used(worker + " " + key));
        }
        if (!worker.endsWith("*")) {
            enrolled(known, worker, new Credential(key, until, token.labels(), token.runtimes()), now);
        }
        return Outcome.DONE;
    }

    private void enrolled(Optional<Worker> known, String id, Credential credential, Instant now) {
        var worker = known.orElseGet(() -> Worker.named(id, WorkerState.ENROLLED, now));
        boolean otherKey =
                worker.connected() && credential.refuses(worker.hello().key());
        if (otherKey) {
            state.act(new FleetAction.Close(
                    worker.session(), Cause.KEY_REVOKED, "another machine has enrolled as " + id));
            workers.closed(id, worker.session(), now);
        }
        var next = state.worker(id).orElse(worker).issued(credential);
        state.keep(next);
        state.act(new WorkerEvent(next));
    }

    /** A worker has got another certificate of its key. */
    void renewed(String id, Instant until) {
        state.worker(id)
                .filter(worker -> !worker.credential().key().isEmpty())
                .ifPresent(
                        worker -> state.keep(worker.issued(worker.credential().until(until))));
    }

    void passed(Instant now) {
        for (var token : List.copyOf(tokens.values())) {
            if (!now.isBefore(token.endsAt())) {
                tokens.remove(token.id());
                state.forget(token);
            }
        }
    }
}
