package dev.swapgate.proxy.chat;

import java.nio.ByteBuffer;

/** Takes a copy of an answer as it passes, if somebody wants it. */
interface AnswerCopy {
  AnswerCopy NONE =
      new AnswerCopy() {
        @Override
        public void add(ByteBuffer bytes) {}

        @Override
        public void complete() {}
      };

  void add(ByteBuffer bytes);

  /** The answer came to its end as it should. */
  void complete();
}
