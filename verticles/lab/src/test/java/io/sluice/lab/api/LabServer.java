package io.sluice.lab.api;

import io.sluice.neonvm.api.KubernetesConfig;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.InstantSource;

/** The lab's API, for all tests of a class. */
public final class LabServer extends ApiServerExtension {
    static final int HISTORY_MAX = 1000;

    private record Lab(Vertx vertx, KubernetesConfig admin) implements Server {
        @Override
        public void close() {
            vertx.close().await();
        }
    }

    @Override
    protected Server start(Path folder) {
        var vertx = Vertx.vertx();
        var api = new LabApi(vertx, InstantSource.system(), HISTORY_MAX);
        return new Lab(
                vertx, KubernetesConfig.DEFAULTS.at(api.start("127.0.0.1", 0).await()));
    }
}
