package io.sluice.gateway.listener;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.sluice.gateway.core.TokenSet;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
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
 * A door's tokens and certificate as they were last read. What cannot be read anew stays as it was, and is complained
 * of once. All of it runs on the door's context, one reading at a time.
 */
final class ListenerSecrets {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerSecrets.class);
    private static final String TOKENS = "tokens";
    private static final String CERTIFICATE = "certificate";

    private final Shell shell;
    private final ListenerSpec doorway;
    private final ListenerFiles files;
    private final Map<String, String> complaints = new HashMap<>();
    private Function<TlsIdentity, Future<?>> taker = identity -> Future.succeededFuture();
    private Runnable whenWithdrawn = () -> {};
    private Future<?> turn = Future.succeededFuture();
    private ListenerConfig config;
    private TokenSet tokens = TokenSet.NONE;
    private Optional<TlsIdentity> identity = Optional.empty();
    private volatile long untilSeconds;

    ListenerSecrets(Vertx vertx, Shell shell, ListenerConfig config, ListenerSpec doorway) {
        this.shell = shell;
        this.config = config;
        this.doorway = doorway;
        files = new ListenerFiles(vertx, doorway.section());
        List.of(TOKENS, CERTIFICATE).forEach(what -> renewals(what, "failed"));
    }

    TokenSet tokens() {
        return tokens;
    }

    Optional<TlsIdentity> identity() {
        return identity;
    }

    /** Reads everything for the first time: all of it has to be there. */
    Future<Void> first() {
        return inTurn(() -> read(config));
    }

    /**
     * From now on certificates are handed on, and somebody hears when a token lets in no more, or when a first one
     * means that nothing else does.
     *
     * @param server may refuse a certificate, which then is not taken
     */
    void handTo(Function<TlsIdentity, Future<?>> server, Runnable withdrawn) {
        taker = server;
        whenWithdrawn = withdrawn;
    }

    /** Reads from where another config says; takes all of it or nothing. */
    Future<Void> from(ListenerConfig next) {
        return inTurn(() -> read(next).onSuccess(taken -> config = next));
    }

    /** Reads again what may have changed; takes whatever can be read. */
    Future<Void> again() {
        return inTurn(() -> Future.join(
                        settled(TOKENS, files.tokens(config).onSuccess(this::take)),
                        settled(CERTIFICATE, files.identity(config).compose(this::take)))
                .transform(said -> Future.succeededFuture()));
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
            noteTaken(TOKENS, renewed);
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
            identity = read;
            noteUntil(read.get().until());
            noteTaken(CERTIFICATE, renewed);
            return null;
        });
    }

    private void noteTaken(String what, boolean renewed) {
        count(what, "taken");
        if (renewed) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.KEY, doorway.section())
                    .addKeyValue(LogKeys.KIND, what)
                    .log("A door took what its files hold now.");
        }
    }

    private void noteUntil(Instant until) {
        boolean watched = untilSeconds != 0;
        untilSeconds = until.getEpochSecond();
        if (!watched) {
            Gauge.builder("sluice.gateway.certificate.until", this, secrets -> secrets.untilSeconds)
                    .description("When a door's certificate ends, in seconds since 1970.")
                    .baseUnit("seconds")
                    .tag("door", doorway.label())
                    .register(shell.meters());
        }
        if (until.isBefore(shell.clock().instant())) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.KEY, doorway.section())
                    .addKeyValue(LogKeys.TO, until)
                    .log("A door's certificate has ended: callers that look at it will not come in.");
        }
    }

    /** Completes once nothing is being read any more. */
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
                    .addKeyValue(LogKeys.KEY, doorway.section())
                    .addKeyValue(LogKeys.KIND, what)
                    .addKeyValue(LogKeys.ERROR, sentence)
                    .log("A door's files cannot be used as they are now; it goes on with what they held before.");
        }
    }

    private void count(String what, String outcome) {
        renewals(what, outcome).increment();
    }

    private Counter renewals(String what, String outcome) {
        return Counter.builder("sluice.gateway.renewals")
                .description("How often a door took new tokens or a new certificate, or could not.")
                .tag("door", doorway.label())
                .tag("kind", what)
                .tag("outcome", outcome)
                .register(shell.meters());
    }

    /** A reading that began earlier must not be the last to be taken. */
    private Future<Void> inTurn(Supplier<Future<Void>> reading) {
        var mine = turn.transform(before -> reading.get());
        turn = mine;
        return mine;
    }
}
