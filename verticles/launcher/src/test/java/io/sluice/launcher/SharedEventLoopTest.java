package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedEventLoopTest {
    private final Vertx vertx = Vertx.vertx();
    private final SharedEventLoop shared = new SharedEventLoop();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    /** Notes the threads on which it starts and stops. */
    private static class Noting extends VerticleBase {
        private volatile Thread started;
        private volatile Thread stopped;

        @Override
        public Future<?> start() {
            started = Thread.currentThread();
            return Future.succeededFuture();
        }

        @Override
        public Future<?> stop() {
            stopped = Thread.currentThread();
            return Future.succeededFuture();
        }
    }

    @Test
    void startsAndStopsAllOnTheLoopOfTheFirst() {
        var first = new Noting();
        var second = new Noting();
        var alone = new Noting();

        vertx.deployVerticle(shared.of(first)).await();
        vertx.deployVerticle(alone).await();
        var id = vertx.deployVerticle(shared.of(second)).await();
        vertx.undeploy(id).await();

        assertThat(second.started).isSameAs(first.started).isNotSameAs(alone.started);
        assertThat(second.stopped).isSameAs(first.started);
        assertThat(first.stopped).isNull();
    }

    @Test
    void reportsThatOneDidNotStart() {
        vertx.deployVerticle(shared.of(new Noting())).await();
        var fails = new VerticleBase() {
            @Override
            public Future<?> start() {
                throw new IllegalStateException("its port is taken");
            }
        };

        assertThatThrownBy(() -> vertx.deployVerticle(shared.of(fails)).await()).hasMessageContaining("port is taken");
    }
}
