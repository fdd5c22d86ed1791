package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.cluster.fleet.Fleet;
import io.sluice.cluster.process.Ground;
import io.sluice.cluster.process.Loopback;
import io.sluice.cluster.process.Namespaces;
import io.sluice.cluster.process.Setup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: two of three processes go on granting without the third, and never more than a node has. Method: real processes
 * and the strict agents of 50 VMs; the owner of most node ledgers is cut off where that is possible, and killed.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 12, unit = TimeUnit.MINUTES)
class ClusterTest {
    private static final Fleet FLEET = new Fleet(5, 10);
    private static final long SEED = 20_261_121;
    private static final Optional<String> NO_NAMESPACES = Namespaces.unavailable();

    private static Ground ground;
    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        var distribution = Options.built();
        assumeThat(distribution.resolve("bin").resolve("sluice"))
                .as("the distribution, which mvn package makes")
                .exists();
        int members = Setup.THREE.members().size();
        ground = NO_NAMESPACES.isPresent() ? new Loopback(members) : Namespaces.make(members);
        var folder = Files.createDirectories(Path.of("target", "cluster-test").toAbsolutePath());
        cluster = new Cluster(ground, Setup.THREE, FLEET, SEED, distribution, folder);
        cluster.start();
        cluster.hold(Suite.WARM_UP);
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
        if (ground != null) {
            ground.close();
        }
    }

    @Test
    @Order(1)
    @DisplayName("F6: an owner that is cut off grants nothing while both sides receive requests")
    void anOwnerThatIsCutOffGrantsNothing() {
        assumeThat(NO_NAMESPACES).as("why cuts are not possible here").isEmpty();

        var result = play("cut-owner-drop");

        assertThat(result.wrong()).isEmpty();
        assertThat(result.unhealed()).isEmpty();
        assertThat(result.answers()).isPositive();
    }

    @Test
    @Order(2)
    @DisplayName("F1: no grant of a killed owner is lost")
    void anOwnerThatIsKilledTakesNoPromiseWithIt() {
        var result = play("kill-owner");

        assertThat(result.wrong()).isEmpty();
        assertThat(result.unhealed()).isEmpty();
        assertThat(result.answers()).isPositive();
    }

    private static RoundResult play(String name) {
        var scenario = Faults.all().stream()
                .filter(fault -> fault.name().equals(name))
                .findFirst()
                .orElseThrow();
        return new Rounds(cluster, MainCode.NONE).play(scenario, 1);
    }
}
