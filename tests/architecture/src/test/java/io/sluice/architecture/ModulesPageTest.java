package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class ModulesPageTest {
    @Test
    void thePageShowsWhatTheCodeDoes() throws IOException {
        var file = Sources.TOP.resolve("docs/modules.md");
        var page = new ModulesPage().text();
        if (Boolean.getBoolean("reference.write")) {
            Files.writeString(file, page);
        }

        assertThat(file)
                .content()
                .as("docs/modules.md; its head says how it is written anew")
                .isEqualTo(page);
    }
}
