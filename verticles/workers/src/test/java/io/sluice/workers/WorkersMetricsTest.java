package io.sluice.workers;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class WorkersMetricsTest {
    private static final Pattern NAME = Pattern.compile("sluice_workers_[a-z_]+");
    private static final Path DASHBOARDS = Path.of("..", "..", "dashboards");

    @Test
    void alertsAndPanelsUseMetricsThatExist(Vertx vertx) throws IOException {
        var meters = new SimpleMeterRegistry();
        vertx.deployVerticle(new WorkersVerticle(
                        SessionApiTest.config(SessionApiTest.LEASE),
                        new Shell(InstantSource.system(), meters, new Readiness(), new Random(1)),
                        UnreliableStore::new))
                .await();
        var exist = new TreeSet<String>();
        meters.getMeters().forEach(meter -> exist.add(meter.getId().getName().replace('.', '_')));
        var used = new TreeSet<String>();
        for (var file : new String[] {"alerts.yaml", "overview.json"}) {
            NAME.matcher(Files.readString(DASHBOARDS.resolve(file)))
                    .results()
                    .map(MatchResult::group)
                    .forEach(used::add);
        }
        assertThat(used).isNotEmpty().isSubsetOf(exist);
    }
}
