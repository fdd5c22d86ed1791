package io.sluice.agent.core.scaling;

import static io.sluice.agent.core.scaling.Movie.cu;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An upscale counts as used once the VM's status shows it. */
class ConfirmByStatusTest {
    private Movie movie;

    @BeforeEach
    void grownButNotConfirmed() {
        movie = Movie.of(Movie.with(PermitSafety.STRICT, ConfirmationMode.STATUS, 0), 1)
                .introduced(1);
        movie.core().monitorActive(movie.now());
        movie.at(1).load(3).asks(3).granted(3).patched(3);
    }

    @Test
    void tellsTheGuestOnlyThen() {
        movie.offersNothing();
        assertThat(movie.core().state().using()).isEqualTo(cu(1));

        movie.at(2).settledAt(3).tellsGuest(3);
    }

    @Test
    void tellsTheGuestAtOnceWhenTheStatusWasFaster() {
        var early = Movie.of(Movie.with(PermitSafety.STRICT, ConfirmationMode.STATUS, 0), 1)
                .introduced(1);
        early.core().monitorActive(early.now());
        early.at(1).load(3).asks(3).granted(3).patches(3).settledAt(3);
        early.core().neonVmSuccess(early.now());
        early.tellsGuest(3);
    }

    @Test
    void doesNotRepeatThePatchThatIsWaitedFor() {
        movie.at(40).asks(3).granted(3).offersNothing();
    }

    @Test
    void replacesItByAnotherAfterAWhile() {
        movie.at(2).load(1);
        movie.offersNothing();
        assertThat(movie.next().waitFor().orElseThrow()).isLessThanOrEqualTo(Movie.seconds(29));

        movie.at(31).asks(3).granted(3).patched(1);
        assertThat(movie.core().state().exposure()).isEqualTo(cu(3));
        movie.at(32).settledAt(1).asks(1);
    }

    @Test
    void goesOnWaitingWhenTheOneThatReplacesItIsRefused() {
        movie.at(31).load(1).asks(3).granted(3).patches(1).core().neonVmFailed(movie.now());
        assertThat(movie.core().state().patching()).contains(cu(3));
    }
}
