package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigReferenceTest {
    private static final Path PAGE = Path.of("../../config/reference.md");
    private static final Path MODULES = Path.of("..");

    @Test
    void thePageShowsWhatTheRecordsShow() throws IOException {
        var page = ConfigReference.page(new RecordDocs(MODULES));
        if (Boolean.getBoolean("reference.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE)
                .content()
                .as("%s; its head has the command that writes it", PAGE)
                .isEqualTo(page);
    }

    /** A row is read without its section. */
    @Test
    void eachDescriptionNamesItsSubject() {
        assertThat(ConfigReference.page(new RecordDocs(MODULES)).lines())
                .noneMatch(row -> row.matches("\\| `.*?` \\| (Of [^`]|In which |Whether they ).*"));
    }
}
