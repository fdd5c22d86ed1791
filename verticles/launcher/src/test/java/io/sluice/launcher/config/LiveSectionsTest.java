package io.sluice.launcher.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveSectionsTest {
    private static final SluiceConfig OLD = SluiceConfig.DEFAULTS;
    private static final SluiceConfig NEW = OLD.with(OLD.gateway().atPorts((host, port) -> 0), OLD.billing());

    private final LiveSections sections = new LiveSections();
    private final List<String> reported = new ArrayList<>();

    @Test
    void everySectionTakesItInOrder() {
        takes("doors");
        takes("ledger");

        assertThat(sections.take(NEW, OLD).succeeded()).isTrue();
        assertThat(reported).containsExactly("doors new", "ledger new");
    }

    @Test
    void whereOneRefusesThoseBeforeTakeTheOldOneBackTheLastFirst() {
        takes("doors");
        takes("ledger");
        sections.add(config -> Future.failedFuture("the certificate cannot be read"));
        takes("pressure");

        var taken = sections.take(NEW, OLD);

        assertThat(taken.cause()).hasMessage("the certificate cannot be read");
        assertThat(reported).containsExactly("doors new", "ledger new", "ledger old", "doors old");
    }

    private void takes(String name) {
        sections.add(config -> {
            reported.add(name + (config == NEW ? " new" : " old"));
            return Future.succeededFuture();
        });
    }
}
