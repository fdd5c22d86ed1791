package io.sluice.gateway.console;

import io.sluice.gateway.listener.Replies;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.Instant;

/**
 * Replies with the state of the Hazelcast cluster; requests within the same second get the same reply. For one event
 * loop.
 */
final class ClusterAnswers implements Handler<RoutingContext> {
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final Shell shell;
    private final ConsoleProcess process;
    private Instant madeAt = Instant.MIN;
    private Future<Buffer> page = Future.failedFuture("not requested yet");

    ClusterAnswers(Vertx vertx, Shell shell, ConsoleProcess process) {
        this.vertx = vertx;
        this.shell = shell;
        this.process = process;
    }

    @Override
    public void handle(RoutingContext context) {
        var now = shell.clock().instant();
        if (!madeAt.plus(FRESH).isAfter(now)) {
            madeAt = now;
            page = make(now);
        }
        page.onFailure(context::fail).onSuccess(json -> Replies.json(context, 200, json));
    }

    /** The counts of this process take a while if it runs many VMs. */
    private Future<Buffer> make(Instant now) {
        return vertx.executeBlocking(
                () -> JsonText.object(
                        ClusterPage.of(process, shell.peers(), now).json()),
                false);
    }
}
