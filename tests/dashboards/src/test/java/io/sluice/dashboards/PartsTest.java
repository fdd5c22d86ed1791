package io.sluice.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class PartsTest {
    @Test
    void theDashboardsOfThePartsAreMadeFromTheirSources() throws IOException {
        for (var part : Part.all().entrySet()) {
            var file = Dashboards.FOLDER.resolve(part.getKey() + ".json");
            var made = PartJson.of(part.getKey(), part.getValue());
            if (Boolean.getBoolean("reference.write")) {
                Files.writeString(file, made);
            }

            assertThat(file)
                    .content()
                    .as("%s; with -Dreference.write=true this test writes it anew", file.getFileName())
                    .isEqualTo(made);
        }
    }
}
