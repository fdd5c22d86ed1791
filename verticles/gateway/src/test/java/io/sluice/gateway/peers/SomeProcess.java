package io.sluice.gateway.peers;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Peers;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** One process of several in this JVM, whose clock a test may set forward. */
public final class SomeProcess {
    private final InstantSource real = new MonotonicClock();
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    public final Vertx vertx;
    public final Bus bus;
    public final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    public final Shell shell;
    public final PeerVerticle verticle;
    private String deployment = "";

    /** A process that does not serve its status yet. */
    public SomeProcess(Vertx vertx, Peers peers, Map<String, Set<String>> needs) {
        this.vertx = vertx;
        bus = new Bus(vertx);
        shell = new Shell(this::instant, meters, new Readiness(), new Random(1)).among(peers);
        verticle = new PeerVerticle(shell, "1.2.3", peers.self().roles(), needs);
    }

    private Instant instant() {
        return real.instant().plus(ahead.get());
    }

    /** From now on it replies. */
    public SomeProcess up() {
        deployment = vertx.deployVerticle(verticle).await();
        return this;
    }

    /** From now on it does not. */
    public void down() {
        vertx.undeploy(deployment).await();
    }

    /** Sets its clock forward. */
    public void passes(Duration time) {
        ahead.updateAndGet(before -> before.plus(time));
    }

    /** Its reason for not being ready because of its peers; empty when it is ready. */
    public String waitsFor() {
        return shell.readiness().reasons().getOrDefault(PeerVerticle.PART, "");
    }
}
