package io.sluice.gateway.listener;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.sluice.gateway.core.identity.TokenSet;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener's tokens and certificate as they were last read. What cannot be read again stays as it was, and is logged
 * once. All of it runs on the listener's context, one reading at a time.
 */
final class ListenerSecrets {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerSecrets.class);
    private static final String TOKENS = "tokens";
    private static final String CERTIFICATE = "certificate";

    /** A certificate is renewed well before its end; this is also what the alert uses. */
    private static final Duration RENEW_BEFORE = Duration.ofDays(14);

    private final Shell shell;
    private final ListenerSpec spec;
    private final ListenerFiles files;
    private final Map<String, String> complaints = new HashMap<>();
    private Function<TlsIdentity, Future<?>> taker = identity -> Future.succeededFuture();
    private Runnable whenWithdrawn = () -> {};
    private Future<?> turn = Future.succeededFuture();
    private ListenerConfig config;
    private TokenSet tokens = TokenSet.NONE;
    private Optional<TlsIdentity> identity = Optional.empty();
    private volatile long untilSeconds;

    ListenerSecrets(Vertx vertx, Shell shell, ListenerConfig config, ListenerSpec spec) {
        this.shell = shell;
        this.config = config;
        this.spec = spec;
        files = new ListenerFiles(vertx, spec.section());
        List.of(TOKENS, CERTIFICATE).forEach(what -> renewals(what, "failed"));
    }

    TokenSet tokens() {
        return tokens;
    }

    Optional<TlsIdentity> identity() {
        return identity;
    }

    /** Reads everything for the first time: all of it must exist. */
    Future<Void> first() {
        return inTurn(() -> read(config));
    }

    /**
     * From now on new certificates go to the server, and {@code withdrawn} runs when a token is removed, a first one is
     * added, or other issuers of clients' certificates are taken.
     *
     * @param server may refuse a certificate, which is not taken then
     */
    void handTo(Function<TlsIdentity, Future<?>> server, Runnable withdrawn) {
        taker = server;
        whenWithdrawn = withdrawn;
    }

    /** Reads from the files of another config; takes all of it or nothing. */
    Future<Void> from(ListenerConfig next) {
        return inTurn(() -> read(next).onSuccess(taken -> config = next));
    }

    /**
     * Reads again what may have changed; takes all that can be read. Does nothing while a reading is under way: on a
     * slow machine they would become ever more, and closing waits for all of them.
     */
    Future<Void> again() {
        if (!turn.isComplete()) {
            return Future.succeededFuture();
        }
        return inTurn(() -> Future.join(
                        settled(TOKENS, files.tokens(config).onSuccess(this::take)),
                        settled(CERTIFICATE, files.identity(config).compose(this::take)))
                .transform(reported -> Future.succeededFuture()));
    }

    private Future<Void> read(ListenerConfig from) {
        return Future.all(files.tokens(from), files.identity(from)).compose(both -> {
            TokenSet newTokens = both.resultAt(0);
            Optional<TlsIdentity> newIdentity = both.resultAt(1);
            return take(newIdentity).onSuccess(taken -> take(newTokens));
        });
    }

    private void take(TokenSet read) {
        boolean withdrawn = !read.containsAll(tokens) || tokens.isEmpty() && !read.isEmpty();
        if (withdrawn || !tokens.containsAll(read)) {
            boolean renewed = !tokens.isEmpty();
            tokens = read;
            recordTaken(TOKENS, renewed);
        }
        if (withdrawn) {
            whenWithdrawn.run();
        }
    }

    private Future<Void> take(Optional<TlsIdentity> read) {
        if (read.isEmpty() || read.equals(identity)) {
            return Future.succeededFuture();
        }
        return taker.apply(read.get()).map(taken -> {
            boolean renewed = identity.isPresent();
            boolean withdrawn =
                    renewed && !identity.get().clientCa().equals(read.get().clientCa());
            identity = read;
            recordUntil(read.get().until());
            recordTaken(CERTIFICATE, renewed);
            if (withdrawn) {
                whenWithdrawn.run();
            }
            return null;
        });
    }

    private void recordTaken(String what, boolean renewed) {
        count(what, "taken");
        if (renewed) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.KEY, spec.section())
                    .addKeyValue(LogKeys.KIND, what)
                    .log("A listener uses the new content of its files.");
        }
    }

    private void recordUntil(Instant until) {
        boolean watched = untilSeconds != 0;
        untilSeconds = until.getEpochSecond();
        if (!watched) {
            Gauge.builder("sluice.gateway.certificate.until", this, secrets -> secrets.untilSeconds)
                    .description("When a listener's certificate ends, in seconds since 1970.")
                    .baseUnit("seconds")
                    .tag("listener", spec.label())
                    .register(shell.meters());
            shell.readiness().reports("gateway", spec.section(), this::endsSoon);
        }
        if (until.isBefore(shell.clock().instant())) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.KEY, spec.section())
                    .addKeyValue(LogKeys.TO, until)
                    .log("A listener's certificate has ended: clients that verify it cannot connect.");
        }
    }

    private Optional<String> endsSoon() {
        var left = Duration.between(shell.clock().instant(), Instant.ofEpochSecond(untilSeconds));
        return left.compareTo(RENEW_BEFORE) > 0
                ? Optional.empty()
                : Optional.of("the certificate of " + spec.section() + (left.isNegative() ? " ended at " : " ends at ")
                        + Instant.ofEpochSecond(untilSeconds) + "; no newer one is in its file");
    }

    /** Completes when no reading is under way. */
    Future<Void> quiet() {
        return inTurn(Future::succeededFuture);
    }

    private Future<?> settled(String what, Future<?> reading) {
        return reading.onSuccess(fine -> complaints.remove(what)).onFailure(broken -> complain(what, broken));
    }

    private void complain(String what, Throwable broken) {
        count(what, "failed");
        var sentence = String.valueOf(broken.getMessage());
        if (!sentence.equals(complaints.put(what, sentence))) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.KEY, spec.section())
                    .addKeyValue(LogKeys.KIND, what)
                    .addKeyValue(LogKeys.ERROR, sentence)
                    .log("A listener's files cannot be used; their former content stays in force.");
        }
    }

    private void count(String what, String outcome) {
        renewals(what, outcome).increment();
    }

    private Counter renewals(String what, String outcome) {
        return Counter.builder("sluice.gateway.renewals")
                .description("Renewals of a listener's tokens or certificate, by outcome.")
                .tag("listener", spec.label())
                .tag("kind", what)
                .tag("outcome", outcome)
                .register(shell.meters());
    }

    /** Readings run one after the other: an earlier one must not be taken last. */
    private Future<Void> inTurn(Supplier<Future<Void>> reading) {
        var mine = turn.transform(before -> reading.get());
        turn = mine;
        return mine;
    }
}
