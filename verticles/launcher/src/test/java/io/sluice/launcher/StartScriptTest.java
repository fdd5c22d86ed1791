package io.sluice.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start script of a distribution, with a JDK that prints the options that it was given. */
class StartScriptTest {
    private static final String CACHE = "-XX:AOTCache=";
    private static final String JAVA = """
        #!/bin/sh
        for argument; do
            echo "$argument"
            case $argument in
                -XX:AOTCacheOutput=*)
                    echo "Picked up JAVA_TOOL_OPTIONS" >&2
                    echo cache >"${argument#*=}"
                    ;;
            esac
        done
        """;

    @TempDir
    private Path folder;

    private Path home;
    private Path jdk;

    @BeforeEach
    void distribution() throws IOException {
        home = folder.resolve("its home");
        jdk = folder.resolve("jdk");
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("libs"));
        Files.createDirectories(jdk.resolve("bin"));
        Files.copy(Path.of("src/main/dist/bin/sluice"), home.resolve("bin/sluice"));
        Files.writeString(home.resolve("jvm.options"), "-Xms1m\n");
        for (var jar : List.of("vertx-core-5.jar", "sluice-launcher-1.jar", "jackson-core-2.jar", "asm-9.jar")) {
            Files.writeString(home.resolve("libs").resolve(jar), jar);
        }
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
        Files.writeString(jdk.resolve("bin/java"), JAVA);
        for (var program : List.of(home.resolve("bin/sluice"), jdk.resolve("bin/java"))) {
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void namesTheJarsInAFixedOrderWithItsOwnFirst() throws Exception {
        var libs = home + "/libs/";

        assertThat(sluice("", "run"))
                .contains(libs + "jackson-core-2.jar:" + libs + "sluice-launcher-1.jar:" + libs + "asm-9.jar:" + libs
                        + "vertx-core-5.jar");
    }

    @Test
    void usesTheCacheThatItMadeForProcessesWithRolesOnly() throws Exception {
        assertThat(sluice("", "run")).noneMatch(option -> option.startsWith(CACHE));

        assertThat(sluice("", "aot")).containsExactly("The AOT cache is up to date: " + home + "/aot/sluice.aot");

        assertThat(sluice("", "run", "--config", "a file"))
                .contains(CACHE + home + "/aot/sluice.aot", "@" + home + "/jvm.options", "a file");
        assertThat(sluice("", "status")).noneMatch(option -> option.startsWith(CACHE));
    }

    @Test
    void makesNoCacheThatIsUpToDate() throws Exception {
        sluice("", "aot");
        var cache = home.resolve("aot/sluice.aot");
        Files.writeString(cache, "as it was");

        sluice("", "aot");
        assertThat(cache).hasContent("as it was");

        Files.writeString(home.resolve("libs/asm-9.jar"), "another class", StandardOpenOption.APPEND);
        sluice("", "aot");
        assertThat(cache).hasContent("cache");
    }

    @Test
    void usesNoCacheThatWasMadeOfSomethingElse() throws Exception {
        var libs = home.resolve("libs");
        changes(libs.resolve("asm-9.jar"), "another class");
        changes(home.resolve("jvm.options"), "-Xmx2m");
        changes(jdk.resolve("release"), "SOURCE=\"other\"");
        sluice("", "aot");
        Files.writeString(libs.resolve("added-1.jar"), "");
        assertThat(sluice("", "run")).noneMatch(option -> option.startsWith(CACHE));
    }

    @Test
    void usesNoCacheWhereTheJvmCannot() throws Exception {
        sluice("", "aot");

        for (var options :
                List.of("-XX:StartFlightRecording=filename=a.jfr", "-Xlog:gc -XX:+UseZGC", "-XX:AOTMode=off")) {
            assertThat(sluice(options, "run")).as(options).noneMatch(option -> option.startsWith(CACHE));
        }
        assertThat(sluice("-Xlog:gc", "run")).anyMatch(option -> option.startsWith(CACHE));
    }

    /** util-linux's script gives it a terminal. */
    @Test
    void logsReadableLinesToATerminalExceptForTheDemo() throws Exception {
        assumeThat(Path.of("/usr/bin/script")).exists();
        var log = "-Dlogback.configurationFile=logback-terminal.xml";

        assertThat(sluice("", "run")).doesNotContain(log);
        assertThat(onTerminal("run")).contains(log);
        assertThat(onTerminal("demo")).doesNotContain(log);
    }

    private List<String> onTerminal(String command) throws Exception {
        var builder =
                new ProcessBuilder("script", "-qec", "'" + home.resolve("bin/sluice") + "' " + command, "/dev/null");
        builder.environment().put("JAVA_HOME", jdk.toString());
        var process = builder.redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .map(String::strip)
                .toList();
    }

    private void changes(Path file, String by) throws Exception {
        sluice("", "aot");
        assertThat(sluice("", "run")).as("before %s is changed", file).anyMatch(option -> option.startsWith(CACHE));
        Files.writeString(file, by, StandardOpenOption.APPEND);
        assertThat(sluice("", "run")).as("after %s was changed", file).noneMatch(option -> option.startsWith(CACHE));
    }

    /** Runs the script and returns the lines that it printed. */
    private List<String> sluice(String javaOptions, String... arguments) throws Exception {
        var command = new ArrayList<>(List.of(home.resolve("bin/sluice").toString()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().put("SLUICE_JAVA_OPTS", javaOptions);
        var process = builder.start();
        var lines = new String(process.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).as("%s", lines).isZero();
        return lines;
    }
}
