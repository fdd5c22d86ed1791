package io.sluice.workers.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: no other user of the machine writes what guards run or read. Method: directories that are made before. */
class WorkerDirectoryTest {
    private static final Path HOME = Path.of("/home/a");

    @TempDir
    private Path folder;

    private Path directory() {
        return folder.resolve("below/w1");
    }

    private static Path made(Path directory, String permissions) throws IOException {
        Files.createDirectories(directory);
        return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
    }

    private static void prepare(Path directory) throws IOException {
        Guards.in(directory, Duration.ZERO, BootClock.UPTIME);
    }

    private void assertRefused(Path directory, String cause) {
        assertThatThrownBy(() -> prepare(directory))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "%s %s: the directory of a worker must belong to its own user, and no one else may write it",
                        directory, cause);
        assertThat(directory.resolve("guard.sh")).doesNotExist();
    }

    @Test
    void itIsMadeForItsUserAlone() throws IOException {
        prepare(directory());

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory())))
                .isEqualTo("rwx------");
        prepare(directory());
    }

    @Test
    void oneThatOthersMayReadIsTaken() throws IOException {
        prepare(made(directory(), "rwxr-xr-x"));

        assertThat(directory().resolve("guard.sh")).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxrwx", "rwxrwx---", "rwx----w-"})
    void oneThatOthersMayWriteIsRefused(String permissions) throws IOException {
        assertRefused(made(directory(), permissions), "is " + permissions);
    }

    @Test
    void oneOfAnotherUserIsRefused() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root gives directories away");
        var directory = made(directory(), "rwx------");
        Files.setOwner(
                directory,
                directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));

        assertRefused(directory, "belongs to nobody");
    }

    @Test
    void aLinkIsRefused() throws IOException {
        var target = made(folder.resolve("target"), "rwx------");

        assertRefused(Files.createSymbolicLink(folder.resolve("w1"), target), "is a symbolic link");
    }

    @Test
    void aFileIsRefused() throws IOException {
        assertRefused(Files.createFile(folder.resolve("w1")), "is a file");
    }

    @Test
    void whatCannotBeMadeIsNamed() {
        assertThatThrownBy(() -> prepare(Path.of("/proc/w1")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the directory /proc/w1 cannot be made: ");
    }

    @Test
    void itsStandardPlaceIsStateThatOutlivesTheMachinesStart() {
        assertThat(WorkerDirectory.standard("w1", true, Map.of("XDG_STATE_HOME", "/state"), HOME))
                .isEqualTo(Path.of("/var/lib/sluice/worker-w1"));
        assertThat(WorkerDirectory.standard("w1", false, Map.of("XDG_STATE_HOME", "/state"), HOME))
                .isEqualTo(Path.of("/state/sluice/worker-w1"));
        assertThat(WorkerDirectory.standard("w1", false, Map.of("XDG_STATE_HOME", "state"), HOME))
                .isEqualTo(Path.of("/home/a/.local/state/sluice/worker-w1"));
        assertThat(WorkerDirectory.standard("w1", false, Map.of(), HOME))
                .isEqualTo(Path.of("/home/a/.local/state/sluice/worker-w1"));
    }
}
