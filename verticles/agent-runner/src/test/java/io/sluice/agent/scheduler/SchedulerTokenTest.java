package io.sluice.agent.scheduler;

import static io.sluice.agent.scheduler.StandInScheduler.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulerTokenTest extends HttpSchedulerStage {
    /** As a kubelet renews the token of a service account: the link is changed to another folder. */
    @Test
    void showsItsTokenAndFollowsItsRenewal(@TempDir Path files) throws Exception {
        var token = projected(files, "one");
        var scheduler = new StandInScheduler(vertx).open();
        var config = config(LONG, List.of(scheduler.url()), token.toString());
        line = new HttpSchedulerClient(vertx, shell, config, new ListedSchedulers(config.addresses()), terms());
        await(on(line::start));
        line.observed(vm("a"));
        await(request("a", 1));
        projected(files, "two");
        var seq = new AtomicInteger(1);
        await().atMost(SchedulerSecrets.AGAIN.plusSeconds(20)).until(() -> {
            await(request("a", seq.incrementAndGet()));
            return scheduler.credentials.contains("Bearer two");
        });
        assertThat(scheduler.credentials.getFirst()).isEqualTo("Bearer one");
    }

    @Test
    void namesTheKeyOfATokenThatCannotBeRead() {
        var config = config(LONG, List.of("http://127.0.0.1:1"), "/no/such/file");
        line = new HttpSchedulerClient(vertx, shell, config, new ListedSchedulers(config.addresses()), terms());
        assertThat(failure(on(line::start))).contains("agent.scheduler.tokenFile=/no/such/file cannot be read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "one\ntwo\n", "one two"})
    void showsNothingThatIsNotOneToken(String text, @TempDir Path files) throws Exception {
        var token = Files.writeString(files.resolve("token"), text);
        var config = config(LONG, List.of("http://127.0.0.1:1"), token.toString());
        line = new HttpSchedulerClient(vertx, shell, config, new ListedSchedulers(config.addresses()), terms());
        assertThat(failure(on(line::start))).contains("agent.scheduler.tokenFile=" + token + " must hold one token");
    }

    private static Path projected(Path volume, String token) throws IOException {
        var folder = Files.createDirectory(volume.resolve("..of-" + token));
        Files.writeString(folder.resolve("token"), token);
        var link = Files.createSymbolicLink(volume.resolve("..data_tmp"), folder.getFileName());
        Files.move(link, volume.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        var shown = volume.resolve("token");
        return Files.exists(shown) ? shown : Files.createSymbolicLink(shown, Path.of("..data", "token"));
    }
}
