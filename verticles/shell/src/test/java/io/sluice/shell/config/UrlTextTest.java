package io.sluice.shell.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;

class UrlTextTest {
    @Test
    void aUserIsRefusedWithoutItsPassword() {
        assertThatThrownBy(() -> UrlText.requireNoUser("a.url", URI.create("http://u:secret@h:9090")))
                .hasMessageStartingWith("a.url must have no user")
                .hasMessageNotContaining("secret");
        assertThatCode(() -> UrlText.requireNoUser("a.url", URI.create("http://h:9090/@path")))
                .doesNotThrowAnyException();
    }

    @Test
    void whatIsShownHasNoPassword() {
        assertThat(UrlText.shown("ftp://u:se@cret@h/p")).isEqualTo("ftp://…@h/p");
        assertThat(UrlText.shown("http://h/a@b")).isEqualTo("http://h/a@b");
    }
}
