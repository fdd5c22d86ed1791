package io.sluice.workers.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: a definition starts nothing but what its worker allows. Method: hostile variables, and links. */
class ProcessDefinitionTest {
    @TempDir
    private Path folder;

    private Path tools;
    private Path program;

    @BeforeEach
    void install() throws IOException {
        folder = folder.toRealPath();
        tools = Files.createDirectory(folder.resolve("tools"));
        program = Files.createFile(tools.resolve("program"));
    }

    private static Map<String, String> environment(String name, String value) throws Exception {
        return ProcessDefinition.environment(new JsonObject().put(name, value));
    }

    private static String command(Path path, String... allowed) throws Exception {
        return ProcessDefinition.read(new JsonObject().put("command", path.toString()), List.of(allowed))
                .command()
                .getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"BASH_FUNC_sleep%%", "A-B", "A B", "1A", "A\nB", "\u00c4", ""})
    void aNameThatIsNoneOfAVariableIsRefused(String name) {
        assertThatThrownBy(() -> environment(name, "hidden"))
                .isInstanceOf(ProcessDefinition.Unfit.class)
                .hasMessageEndingWith(": " + name)
                .hasMessageNotContaining("hidden");
    }

    @Test
    void aPathThatEndsEarlyIsRefused() {
        assertThatThrownBy(
                        () -> ProcessDefinition.read(new JsonObject().put("command", "/bin/ls\0x"), List.of("/bin/")))
                .isInstanceOf(ProcessDefinition.Unfit.class);
    }

    @Test
    void aValueThatEndsEarlyIsRefused() {
        assertThatThrownBy(() -> environment("PASSWORD", "hidden\0more"))
                .isInstanceOf(ProcessDefinition.Unfit.class)
                .hasMessageContaining("PASSWORD")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void anyOtherVariableIsTaken() throws Exception {
        assertThat(environment("_path1", "'\n$")).containsExactly(Map.entry("_path1", "'\n$"));
    }

    @Test
    void aLinkThatOthersMayChangeIsNotExecuted() throws Exception {
        var link = Files.createSymbolicLink(folder.resolve("link"), program);

        assertThat(command(link, program.toString())).isEqualTo(program.toString());
        assertThat(command(link, tools + "/")).isEqualTo(program.toString());
    }

    @Test
    void aLinkThatIsAllowedKeepsItsName() throws Exception {
        var other = Files.createSymbolicLink(tools.resolve("other"), program);
        var link = Files.createSymbolicLink(folder.resolve("link"), program);
        var linked = Files.createSymbolicLink(folder.resolve("linked"), tools);

        assertThat(command(other, tools + "/")).isEqualTo(other.toString());
        assertThat(command(linked.resolve("other"), tools + "/")).isEqualTo(other.toString());
        assertThat(command(link, link.toString())).isEqualTo(link.toString());
        assertThat(command(other, program.toString())).isEqualTo(program.toString());
    }

    @Test
    void whatALinkInAnAllowedDirectoryLeadsToMustBeAllowed() throws Exception {
        var secret = Files.createFile(folder.resolve("secret"));
        var link = Files.createSymbolicLink(tools.resolve("link"), secret);

        assertThatThrownBy(() -> command(link, tools + "/"))
                .isInstanceOf(ProcessDefinition.Unfit.class)
                .hasMessageContaining("not among those");
    }
}
